/// Writes values out, a line for each part, much as one would write them in Swift.
///
/// A dump ends on a value without parts, and on an object that it is in already. Objects are
/// numbered, so two values that the same one has dumped can be compared.
struct Dump {
  /// Whether a type's own description is written instead of its parts.
  private let usesDescriptions: Bool

  private var objects: [ObjectIdentifier: Int] = [:]
  /// Those that are being written.
  private var open: Set<ObjectIdentifier> = []

  init(usesDescriptions: Bool = true) {
    self.usesDescriptions = usesDescriptions
  }

  /// The lines of a value, each part two spaces further in than its whole.
  mutating func lines(of value: Any) -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { lines(of: $0.value) } ?? ["nil"]
    case .collection:
      return enclose("[", mirror.children.map { lines(of: $0.value) }, "]")
    case .set:
      return enclose("[", sorted(mirror.children.map { lines(of: $0.value) }), "]")
    case .dictionary:
      return enclose("[", sorted(mirror.children.map { pair(in: $0.value) }), "]", empty: "[:]")
    case .tuple:
      return enclose("(", labeled(mirror), ")")
    case .enum:
      return enumCase(value, mirror)
    case .class, .foreignReference:
      return object(value, mirror)
    default:
      return structure(value, mirror)
    }
  }

  private mutating func structure(_ value: Any, _ mirror: Mirror) -> [String] {
    if let string = value as? any StringProtocol { return text(String(string)) }
    if mirror.children.isEmpty || usesDescriptions && value is any CustomStringConvertible {
      let isNumber = value is any Numeric || value is Bool
      return isNumber || mirror.displayStyle == nil
        ? ["\(value)"] : described(value, "\(type(of: value))")
    }
    return enclose("\(type(of: value))(", labeled(mirror), ")")
  }

  private mutating func enumCase(_ value: Any, _ mirror: Mirror) -> [String] {
    guard let child = mirror.children.first else {
      return value is any CustomStringConvertible
        ? described(value, "\(type(of: value))") : [".\(value)"]
    }
    let payload = Mirror(reflecting: child.value)
    let parts =
      payload.displayStyle == .tuple ? labeled(payload) : [lines(of: child.value)]
    return enclose(".\(child.label ?? "\(type(of: value))")(", parts, ")")
  }

  private mutating func object(_ value: Any, _ mirror: Mirror) -> [String] {
    let id = ObjectIdentifier(value as AnyObject)
    let number = objects[id] ?? objects.count + 1
    objects[id] = number
    let name = "\(type(of: value))#\(number)"
    guard open.insert(id).inserted else { return ["\(name)(…)"] }
    defer { open.remove(id) }
    var parts = labeled(mirror)
    var parent = mirror.superclassMirror
    while let mirror = parent {
      parts = labeled(mirror) + parts
      parent = mirror.superclassMirror
    }
    return enclose("\(name)(", parts, ")")
  }

  private mutating func labeled(_ mirror: Mirror) -> [[String]] {
    mirror.children.map { child in
      var part = lines(of: child.value)
      // The parts of a tuple without labels are called ".0", ".1".
      if let label = child.label, !label.hasPrefix(".") { part[0] = "\(label): \(part[0])" }
      return part
    }
  }

  private mutating func pair(in value: Any) -> [String] {
    let parts = Mirror(reflecting: value).children.map { lines(of: $0.value) }
    guard parts.count == 2 else { return parts.flatMap(\.self) }
    return parts[0].dropLast() + ["\(parts[0].last ?? ""): \(parts[1].first ?? "")"]
      + parts[1].dropFirst()
  }

  private func sorted(_ parts: [[String]]) -> [[String]] {
    parts.sorted { $0.lexicographicallyPrecedes($1, by: isBefore) }
  }

  /// Numbers by their size, all else by its letters.
  private func isBefore(_ lhs: String, _ rhs: String) -> Bool {
    let numbers = [lhs, rhs].map { Double($0.prefix { $0 != ":" }) }
    if let lhs = numbers[0], let rhs = numbers[1], lhs != rhs { return lhs < rhs }
    return lhs < rhs
  }

  /// A description, where it is not the same as a literal.
  private func described(_ value: Any, _ type: String) -> [String] {
    let description = "\(value)".split(separator: "\n", omittingEmptySubsequences: false)
    if description.count == 1 {
      return description[0].hasPrefix(type)
        ? [String(description[0])] : ["\(type)(\(description[0]))"]
    }
    return ["\(type)("] + description.map { "  \($0)" } + [")"]
  }

  private func text(_ string: String) -> [String] {
    guard string.contains("\n") else { return [string.debugDescription] }
    let lines = string.split(separator: "\n", omittingEmptySubsequences: false)
    return ["\"\"\""] + lines.map { "  \($0)" } + ["\"\"\""]
  }

  private func enclose(
    _ start: String, _ parts: [[String]], _ end: String, empty: String? = nil
  ) -> [String] {
    if parts.isEmpty { return [empty ?? start + end] }
    var lines = [start]
    for part in parts {
      lines += part.map { "  \($0)" }
      // Also after the last, so that a further part does not change its line.
      lines[lines.count - 1] += ","
    }
    lines.append(end)
    return lines
  }
}
