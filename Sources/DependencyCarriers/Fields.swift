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
  let place: SourcePlace
  /// The names as the carrier writes them.
  private var names: [String] = []

  init(_ carrier: Carrier, _ fileID: StaticString, _ line: UInt) {
    self.carrier = carrier
    place = SourcePlace(fileID: fileID, line: line)
  }

  /// Adds the field of a key.
  ///
  /// Returns its name as the carrier writes it, or reports an issue if the carrier can't carry it.
  mutating func add<Key: CarriedKey>(_ key: Key.Type) -> String? {
    let field = key.field
    guard !field.isEmpty, field.utf8.allSatisfy(\.isTokenByte) else {
      report(
        "The field \(field.debugDescription) of \(key) isn't a token, so its value isn't carried.",
        remedy: "use only ASCII letters, digits and hyphens in `field`.")
      return nil
    }
    let name = carrier == .environment ? environmentName(of: field) : field
    guard !names.contains(where: { isSame($0, name) }) else {
      report(
        "\(key) has the same field `\(field)` as an earlier key, so its value isn't carried.",
        remedy: "give each key its own `field`, and pass each key once.")
      return nil
    }
    names.append(name)
    return name
  }

  /// Escapes a value as the carrier needs it, or returns `nil` after reporting that it is too long.
  func encode<Key: CarriedKey>(_ text: String, for key: Key.Type) -> String? {
    // Baggage escapes and limits its members itself.
    if carrier == .baggage { return text }
    // HTTP would trim the spaces at either end.
    let isTrimmed = text.utf8.first != 0x20 && text.utf8.last != 0x20
    let encoded = percentEncoded(text) { 0x21...0x7E ~= $0 || ($0 == 0x20 && isTrimmed) }
    if encoded.utf8.count <= longestText { return encoded }
    report(
      "The value of \(key) encodes to more than 8,192 bytes, so `\(key.field)` isn't sent.",
      remedy: "send an identifier, and look up the value in the other process.")
    return nil
  }

  func report(_ problem: String, remedy: String) {
    DependencyIssue(problem: problem, remedy: remedy, at: place).report()
  }

  private func isSame(_ name: String, _ other: String) -> Bool {
    switch carrier {
    case .baggage, .environment: name == other
    case .closure: name.utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
  }
}
