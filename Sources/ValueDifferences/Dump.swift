/// Writes values, with one line per part, similar to Swift source.
///
/// A dump doesn't descend into values without parts, into an object inside itself, or beyond a
/// depth limit.
struct Dump {
  /// The maximum depth; each level uses some stack.
  static let depthLimit = 64
  /// Larger collections aren't sorted unless the output has room for them.
  private static let sortingLimit = 1000

  /// Whether to write a type's parts instead of its own description, and to show three details: which
  /// of two nested optionals is `nil`, the order of an ordered dictionary, and which object it is, by
  /// a number that all dumps of this instance share.
  let isExact: Bool

  /// The number of values that may still be written.
  ///
  /// Objects that refer to each other can have too many paths to write.
  private var valuesLeft: Int
  private let valueLimit: Int
  private var objects: [ObjectIdentifier: Int] = [:]
  /// The objects that are being written.
  private var open: Set<ObjectIdentifier> = []

  init(isExact: Bool = false, valueLimit: Int = 200_000) {
    self.isExact = isExact
    self.valueLimit = valueLimit
    valuesLeft = valueLimit
  }

  /// Returns the lines of a value.
  mutating func output(of value: Any) -> DumpOutput {
    var output = DumpOutput()
    valuesLeft = valueLimit
    write(value, to: &output)
    return output
  }

  /// Writes the lines of a value, with each part indented by two spaces.
  mutating func write(_ value: Any, to output: inout DumpOutput, at place: DumpPlace = DumpPlace())
  {
    if output.isFull() { return }
    guard place.depth < Self.depthLimit, valuesLeft > 0 else {
      output.cut()
      return output.append("…", at: place)
    }
    valuesLeft -= 1
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first {
        if isExact, Mirror(reflecting: child.value).displayStyle == .optional {
          return enclose(".some(", ")", mirror, to: &output, at: place, isLabeled: false)
        }
        write(child.value, to: &output, at: place)
      } else {
        output.append("nil", at: place)
      }
    case .collection:
      enclose("[", "]", mirror, to: &output, at: place)
    case .set:
      sorted(value, "[]", mirror, to: &output, at: place) { dump, child, part, place in
        dump.write(child, to: &part, at: place)
      }
    case .dictionary:
      sorted(value, "[:]", mirror, to: &output, at: place) { dump, child, part, place in
        dump.writePair(child, to: &part, at: place)
      }
    case .tuple:
      enclose("(", ")", mirror, to: &output, at: place)
    case .enum:
      enumCase(value, mirror, to: &output, at: place)
    case .class, .foreignReference:
      object(value, mirror, to: &output, at: place)
    default:
      structure(value, mirror, to: &output, at: place)
    }
  }

  /// Whether a structure is written as its parts.
  func hasParts(_ value: Any, _ mirror: Mirror) -> Bool {
    !(mirror.children.isEmpty || !isExact && value is any CustomStringConvertible)
  }

  private mutating func structure(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    if let string = value as? any StringProtocol {
      write(text(String(String(string).prefix(output.textLimit))), to: &output, at: place)
    } else if hasParts(value, mirror) {
      enclose("\(type(of: value))(", ")", mirror, to: &output, at: place)
    } else if value is any Numeric || mirror.displayStyle == nil {
      output.append("\(value)", at: place)
    } else {
      write(described(value, "\(type(of: value))"), to: &output, at: place)
    }
  }

  private mutating func enumCase(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    guard let child = mirror.children.first else {
      let lines =
        value is any CustomStringConvertible
        ? described(value, "\(type(of: value))") : [".\(value)"]
      return write(lines, to: &output, at: place)
    }
    let parts = Self.payload(child.value)
    let start = ".\(child.label ?? "\(type(of: value))")("
    if parts.isEmpty { return output.append("\(start))", at: place) }
    output.append(start, at: place, isEnd: false)
    for part in parts {
      write(part.value, to: &output, at: place.part(Self.prefix(part.label)))
    }
    output.append(")", at: place, isStart: false)
  }

  /// The parts of an enum case's payload.
  static func payload(_ value: Any) -> [Mirror.Child] {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? Array(mirror.children) : [(nil, value)]
  }

  private mutating func object(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    if let path = value as? AnyKeyPath {
      return output.append(path.debugDescription, at: place)
    }
    let id = ObjectIdentifier(value as AnyObject)
    let name = name(of: value as AnyObject)
    guard open.insert(id).inserted else { return output.append("\(name)(…)", at: place) }
    defer { open.remove(id) }
    var mirrors = [mirror]
    while let parent = mirrors[0].superclassMirror { mirrors.insert(parent, at: 0) }
    if mirrors.allSatisfy(\.children.isEmpty) { return output.append("\(name)()", at: place) }
    output.append("\(name)(", at: place, isEnd: false)
    for mirror in mirrors { writeParts(mirror, to: &output, at: place, isLabeled: true) }
    output.append(")", at: place, isStart: false)
  }

  private mutating func name(of object: AnyObject) -> String {
    guard isExact else { return "\(type(of: object))" }
    let id = ObjectIdentifier(object)
    let number = objects[id] ?? objects.count + 1
    objects[id] = number
    return "\(type(of: object))#\(number)"
  }

  private mutating func enclose(
    _ start: String, _ end: String, _ mirror: Mirror, to output: inout DumpOutput,
    at place: DumpPlace, isLabeled: Bool = true
  ) {
    if mirror.children.isEmpty { return output.append(start + end, at: place) }
    output.append(start, at: place, isEnd: false)
    writeParts(mirror, to: &output, at: place, isLabeled: isLabeled)
    output.append(end, at: place, isStart: false)
  }

  private mutating func writeParts(
    _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace, isLabeled: Bool
  ) {
    for child in mirror.children {
      if output.isFull() { return }
      write(child.value, to: &output, at: place.part(isLabeled ? Self.prefix(child.label) : ""))
    }
  }

  /// The parts of an unlabeled tuple are named ".0", ".1".
  static func prefix(_ label: String?) -> String {
    if let label, !label.hasPrefix(".") { "\(label): " } else { "" }
  }

  private mutating func sorted(
    _ value: Any, _ empty: String, _ mirror: Mirror,
    to output: inout DumpOutput, at place: DumpPlace,
    _ write: (inout Dump, Any, inout DumpOutput, DumpPlace) -> Void
  ) {
    if mirror.children.isEmpty { return output.append(empty, at: place) }
    output.append("[", at: place, isEnd: false)
    defer { output.append("]", at: place, isStart: false) }
    guard !isExact || value is any UnorderedCollection else {
      for child in mirror.children where !output.isFull() {
        write(&self, child.value, &output, place.part())
      }
      return
    }
    let room = output.part.limit
    let count = mirror.children.count
    let children = mirror.children.prefix(count > max(room, Self.sortingLimit) ? room : count)
    writeSorted(children.map(\.value), to: &output, at: place, write)
  }

  /// Writes the parts of an unordered collection in sorted order.
  mutating func writeSorted(
    _ values: [Any], to output: inout DumpOutput, at place: DumpPlace,
    _ write: (inout Dump, Any, inout DumpOutput, DumpPlace) -> Void
  ) {
    let parts = values.map { value in
      var part = output.part
      write(&self, value, &part, place.part())
      return part
    }
    for part in parts.sorted(by: isBefore) where !output.isFull() { output.append(part) }
  }

  mutating func writePair(_ value: Any, to output: inout DumpOutput, at place: DumpPlace) {
    let parts = Mirror(reflecting: value).children.map(\.value)
    guard parts.count == 2 else { return write(value, to: &output, at: place) }
    var key = output.part
    write(parts[0], to: &key, at: DumpPlace(depth: place.depth))
    let indentation = place.depth * 2
    for line in key.lines.dropLast() {
      output.append(String(line.dropFirst(indentation)), at: place, isEnd: false)
    }
    let last = key.lines.last?.dropFirst(indentation) ?? ""
    write(
      parts[1], to: &output, at: DumpPlace(depth: place.depth, prefix: "\(last): ", isPart: true))
  }

  /// Compares numbers by value, and everything else as text.
  func isBefore(_ lhs: DumpOutput, _ rhs: DumpOutput) -> Bool {
    lhs.lines.lexicographicallyPrecedes(rhs.lines) { lhs, rhs in
      let numbers = [lhs, rhs].map {
        Double($0.drop { $0 == " " }.prefix { $0 != ":" && $0 != "," })
      }
      if let lhs = numbers[0], let rhs = numbers[1], lhs != rhs { return lhs < rhs }
      return lhs < rhs
    }
  }

  /// Returns a description, unless it looks like a literal.
  private func described(_ value: Any, _ type: String) -> [String] {
    let description = "\(value)".split(separator: "\n", omittingEmptySubsequences: false)
    if description.count == 1 {
      return description[0].hasPrefix(type)
        ? [String(description[0])] : ["\(type)(\(description[0]))"]
    }
    return ["\(type)("] + description.map { "  \($0)" } + [")"]
  }

  private func text(_ string: String) -> [String] {
    guard string.contains(where: { $0 == "\n" || $0 == "\r\n" }) else {
      return [string.debugDescription]
    }
    // A carriage return before a line feed is one character with it.
    let lines = string.split(separator: "\r\n", omittingEmptySubsequences: false)
      .joined(separator: "\\r\n").split(separator: "\n", omittingEmptySubsequences: false)
    return ["\"\"\""] + lines.map { "  \($0)" } + ["\"\"\""]
  }

  private func write(_ lines: [String], to output: inout DumpOutput, at place: DumpPlace) {
    for (index, line) in lines.enumerated() {
      output.append(line, at: place, isStart: index == 0, isEnd: index == lines.count - 1)
    }
  }
}

/// A collection without an order of its own.
private protocol UnorderedCollection {}

extension Set: UnorderedCollection {}
extension Dictionary: UnorderedCollection {}
