extension Baggage {
  /// Reads a `baggage` header; `nil` is a missing header.
  ///
  /// Malformed members are ignored, as are members beyond 64 members or 8,192 bytes. Both are
  /// reported, without any of the content.
  public init(_ header: String?, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(header.map { [$0] } ?? [], fileID: fileID, line: line)
  }

  /// Reads several `baggage` headers as one, in order.
  ///
  /// Together, they have the limits of one header.
  public init(
    _ headers: some Sequence<String>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    var parser = BaggageParser()
    for header in headers { parser.read(header) }
    received = parser.members
    let fields = Fields(.baggage, fileID, line)
    if parser.hasMalformedMembers {
      fields.report(
        "A received `baggage` header has malformed members, which are ignored.",
        remedy: "send members as `key=value`, percent-encoded as W3C Baggage specifies.")
    }
    if parser.isTooLong {
      fields.report(
        """
        A received `baggage` header has more than 64 members or 8,192 bytes. The rest is ignored.
        """,
        remedy: "keep the sender within the limits of W3C Baggage.")
    }
  }
}

/// A parser for the list members of W3C Baggage.
struct BaggageParser {
  private(set) var members: [ReceivedMember] = []
  private(set) var hasMalformedMembers = false
  private(set) var isTooLong = false
  private var bytesLeft = longestText

  mutating func read(_ header: String) {
    let comma = UInt8(ascii: ",")
    var bytes = ArraySlice(header.utf8.prefix(bytesLeft))
    if header.utf8.count > bytes.count {
      isTooLong = true
      // The limit may cut off the last member, which is then left out.
      let isCut = header.utf8.dropFirst(bytes.count).first != comma
      if isCut { bytes = bytes[..<(bytes.lastIndex(of: comma) ?? 0)] }
      bytesLeft = 0
    } else {
      // Headers are joined by a comma, which counts.
      bytesLeft = max(0, bytesLeft - bytes.count - 1)
    }
    for member in bytes.split(separator: comma) { add(member) }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    var scanner = MemberScanner(rest: bytes)
    scanner.skipBlanks()
    if scanner.rest.isEmpty { return }  // HTTP allows empty members in a list.
    guard let member = scanner.member() else { return hasMalformedMembers = true }
    if members.count < Baggage.mostMembers {
      members.append(member)
    } else {
      isTooLong = true
    }
  }
}

private struct MemberScanner {
  var rest: ArraySlice<UInt8>

  mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

  /// `key = value ; property ; property`, up to the end.
  mutating func member() -> ReceivedMember? {
    let member = rest
    guard let key = key(), skip("="), let value = value() else { return nil }
    var end = value.endIndex
    skipBlanks()
    while !rest.isEmpty {
      guard skip(";"), let property = self.key() else { return nil }
      end = property.endIndex
      if skip("=") {
        guard let value = self.value() else { return nil }
        end = value.endIndex
      }
      skipBlanks()
    }
    return ReceivedMember(key: key, value: value, all: member[..<end])
  }

  private mutating func skip(_ separator: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: separator) else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func key() -> ArraySlice<UInt8>? {
    let key = take(while: \.isTokenByte)
    return key.isEmpty ? nil : key
  }

  private mutating func value() -> ArraySlice<UInt8>? {
    let value = take(while: \.isBaggageOctet)
    let hasWholeEscapes = value.indices.allSatisfy { index in
      value[index] != UInt8(ascii: "%")
        || value[(index + 1)...].prefix(2).count { hexValue($0) != nil } == 2
    }
    return hasWholeEscapes ? value : nil
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return taken
  }
}
