internal import ComposableDependencies

/// The fields of one call, each a distinct token.
struct Fields {
  /// The destination of the fields, which decides which of their names are the same.
  enum Carrier {
    case closure
    case baggage
    case environment
  }

  private let carrier: Carrier
  private let fileID: StaticString
  private let line: UInt
  /// The names as the carrier writes them.
  private var names: [String] = []

  init(_ carrier: Carrier, _ fileID: StaticString, _ line: UInt) {
    self.carrier = carrier
    self.fileID = fileID
    self.line = line
  }

  /// Adds the field of a key.
  ///
  /// Returns whether it is usable, and reports an issue otherwise.
  mutating func add<Key: CarriedKey>(_ key: Key.Type) -> Bool {
    let field = key.field
    guard isToken(field) else {
      report(
        "The field \(field.debugDescription) of \(key) isn't a token, so its value isn't carried.",
        remedy: "use only ASCII letters, digits and hyphens in `field`.")
      return false
    }
    let name = carrier == .environment ? environmentName(of: field) : field
    guard !names.contains(where: { isSame($0, name) }) else {
      report(
        "\(key) has the same field `\(field)` as an earlier key, so its value isn't carried.",
        remedy: "give each key its own `field`, and pass each key once.")
      return false
    }
    names.append(name)
    return true
  }

  func report(_ problem: String, remedy: String) {
    DependencyIssue(problem: problem, remedy: remedy, fileID: fileID, line: line).report()
  }

  private func isSame(_ name: String, _ other: String) -> Bool {
    switch carrier {
    case .baggage, .environment: name == other
    case .closure: name.utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
  }
}
