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
    var value = value
    // A loop, because an object's mirror may be that of an optional, which leads to the next such object.
    while place.depth < Self.depthLimit, valuesLeft > 0 {
      valuesLeft -= 1
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional, let child = mirror.children.first,
        !isExact || Mirror(reflecting: child.value).displayStyle != .optional
      else { return write(value, mirror, to: &output, at: place) }
      value = child.value
    }
    output.isCut = true
    output.append("…", at: place)
  }

  private mutating func write(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else { return output.append("nil", at: place) }
      let part: Mirror.Child = (nil, child.value)
      enclose(".some(", ")", AnyCollection([part]), to: &output, at: place)
    case .collection:
      enclose("[", "]", mirror.children, to: &output, at: place)
    case .set, .dictionary:
      sorted(value, mirror, to: &output, at: place)
    case .tuple:
      enclose("(", ")", mirror.children, to: &output, at: place)
    case .enum:
      enumCase(value, mirror, to: &output, at: place)
    case .class, .foreignReference:
      object(value, mirror, to: &output, at: place)
    default:
      structure(value, mirror, to: &output, at: place)
    }
  }

  private mutating func structure(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    if let string = value as? any StringProtocol {
      write(text(String(String(string).prefix(output.textLimit))), to: &output, at: place)
    } else if !mirror.children.isEmpty, isExact || !(value is any CustomStringConvertible) {
      enclose("\(type(of: value))(", ")", mirror.children, to: &output, at: place)
    } else if value is any Numeric || mirror.displayStyle == nil {
      output.append("\(value)", at: place)
    } else {
      write(described(value), to: &output, at: place)
    }
  }

  private mutating func enumCase(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    guard let child = mirror.children.first else {
      let lines = value is any CustomStringConvertible ? described(value) : [".\(value)"]
      return write(lines, to: &output, at: place)
    }
    let payload = Mirror(reflecting: child.value)
    let parts: Mirror.Children =
      payload.displayStyle == .tuple ? payload.children : AnyCollection([(nil, child.value)])
    let name = child.label ?? "\(type(of: value))"
    enclose(".\(name)(", ")", parts, to: &output, at: place)
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
    let parts = AnyCollection(mirrors.flatMap(\.children))
    enclose("\(name)(", ")", parts, to: &output, at: place)
  }

  private mutating func name(of object: AnyObject) -> String {
    guard isExact else { return "\(type(of: object))" }
    let id = ObjectIdentifier(object)
    let number = objects[id] ?? objects.count + 1
    objects[id] = number
    return "\(type(of: object))#\(number)"
  }

  private mutating func enclose(
    _ start: String, _ end: String, _ parts: Mirror.Children, to output: inout DumpOutput,
    at place: DumpPlace
  ) {
    if parts.isEmpty { return output.append(start + end, at: place) }
    output.append(start, at: place, isEnd: false)
    for (label, value) in parts {
      if output.isFull() { return }
      // The parts of an unlabeled tuple are named ".0", ".1".
      let prefix = label.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? ""
      write(value, to: &output, at: place.part(prefix))
    }
    output.append(end, at: place, isStart: false)
  }

  /// Writes a set or a dictionary in sorted order, unless its own order may be what differs.
  private mutating func sorted(
    _ value: Any, _ mirror: Mirror, to output: inout DumpOutput, at place: DumpPlace
  ) {
    let isDictionary = mirror.displayStyle == .dictionary
    if mirror.children.isEmpty {
      return output.append(isDictionary ? "[:]" : "[]", at: place)
    }
    output.append("[", at: place, isEnd: false)
    defer { output.append("]", at: place, isStart: false) }
    guard !isExact || value is any UnorderedCollection else {
      for child in mirror.children where !output.isFull() {
        writeElement(child.value, isPair: isDictionary, to: &output, at: place.part())
      }
      return
    }
    let room = output.part.limit
    let count = mirror.children.count
    let children = mirror.children.prefix(count > max(room, Self.sortingLimit) ? room : count)
    let parts = children.map { child in
      var part = output.part
      writeElement(child.value, isPair: isDictionary, to: &part, at: place.part())
      return part
    }
    for part in parts.sorted(by: isBefore) where !output.isFull() { output.append(part) }
  }

  private mutating func writeElement(
    _ value: Any, isPair: Bool, to output: inout DumpOutput, at place: DumpPlace
  ) {
    let parts = isPair ? Mirror(reflecting: value).children.map(\.value) : []
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
  private func isBefore(_ lhs: DumpOutput, _ rhs: DumpOutput) -> Bool {
    lhs.lines.lexicographicallyPrecedes(rhs.lines) { lhs, rhs in
      let numbers = [lhs, rhs].map {
        Double($0.drop { $0 == " " }.prefix { $0 != ":" && $0 != "," })
      }
      if let lhs = numbers[0], let rhs = numbers[1], lhs != rhs { return lhs < rhs }
      return lhs < rhs
    }
  }

  /// Returns a description, unless it looks like a literal.
  private func described(_ value: Any) -> [String] {
    let type = "\(type(of: value))"
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
