extension Baggage {
  /// The maximum number of members in a header.
  static let mostMembers = 64

  /// Writes the members as the value of one `baggage` header.
  ///
  /// Injected members come first, in the order of their injection, then received members in theirs.
  ///
  /// A header has at most 64 members and 8,192 bytes, the minimum that every implementation of the
  /// specification forwards. Members beyond either limit are left out as a whole and reported;
  /// shorter members after them are still written.
  ///
  /// - Returns: The header, or `nil` if there are no members.
  public func header(fileID: StaticString = #fileID, line: UInt = #line) -> String? {
    var header = Header()
    var leftOut: [String] = []
    var othersLeftOut = 0
    for (field, text) in injected
    where !header.add(field, "=", percentEncoded(text, keeping: \.isBaggageOctet)) {
      leftOut.append("`\(field)`")
    }
    for member in received where !header.add(String(decoding: member.all, as: UTF8.self)) {
      othersLeftOut += 1
    }
    if othersLeftOut > 0 { leftOut.append("\(othersLeftOut) from other programs") }
    if !leftOut.isEmpty {
      Fields(.baggage, fileID, line).report(
        """
        The baggage has more than 64 members or 8,192 bytes, so these are left out: \
        \(leftOut.joined(separator: ", ")).
        """,
        remedy: "send fewer or shorter values, or use a new `Baggage()`, which forwards nothing.")
    }
    return header.count == 0 ? nil : header.text
  }
}

/// A header that grows up to its limits.
private struct Header {
  var text = ""
  var count = 0

  mutating func add(_ parts: String...) -> Bool {
    let length = parts.reduce(count == 0 ? 0 : 1) { $0 + $1.utf8.count }
    guard count < Baggage.mostMembers, text.utf8.count + length <= longestText else { return false }
    if count > 0 { text += "," }
    for part in parts { text += part }
    count += 1
    return true
  }
}
