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
    var bytes = Array(header.utf8.prefix(bytesLeft))
    if header.utf8.count > bytes.count {
      isTooLong = true
      // The limit may cut off the last member, which is then left out.
      let end = header.utf8.dropFirst(bytes.count).first == UInt8(ascii: ",")
      if !end { bytes = Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: ",")) ?? 0)]) }
      bytesLeft = 0
    } else {
      // Headers are joined by a comma, which counts.
      bytesLeft = max(0, bytesLeft - bytes.count - 1)
    }
    var start = 0
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
      add(start..<end, of: bytes)
      start = end + 1
    }
  }

  private mutating func add(_ range: Range<Int>, of bytes: [UInt8]) {
    var scanner = MemberScanner(bytes: bytes, position: range.lowerBound, end: range.upperBound)
    scanner.skipBlanks()
    if scanner.isAtEnd { return }  // HTTP allows empty members in a list.
    guard let member = scanner.member() else { return hasMalformedMembers = true }
    if members.count < Baggage.mostMembers {
      members.append(member)
    } else {
      isTooLong = true
    }
  }
}

private struct MemberScanner {
  let bytes: [UInt8]
  var position: Int
  let end: Int

  var isAtEnd: Bool { position == end }

  mutating func skipBlanks() {
    while position < end, bytes[position].isBlank { position += 1 }
  }

  /// `key = value ; property ; property`, up to the end.
  mutating func member() -> ReceivedMember? {
    let start = position
    guard let key = key(), skip("="), let value = value() else { return nil }
    var last = value.upperBound
    skipBlanks()
    while !isAtEnd {
      guard skip(";"), let property = self.key() else { return nil }
      last = property.upperBound
      skipBlanks()
      if isAtEnd || bytes[position] == UInt8(ascii: ";") { continue }
      guard skip("="), let value = self.value() else { return nil }
      last = value.upperBound
      skipBlanks()
    }
    return ReceivedMember(bytes: bytes, key: key, value: value, all: start..<last)
  }

  private mutating func skip(_ separator: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard position < end, bytes[position] == UInt8(ascii: separator) else { return false }
    position += 1
    skipBlanks()
    return true
  }

  private mutating func key() -> Range<Int>? {
    let start = position
    while position < end, bytes[position].isTokenByte { position += 1 }
    return position > start ? start..<position : nil
  }

  private mutating func value() -> Range<Int>? {
    let start = position
    while position < end, bytes[position].isBaggageOctet {
      if bytes[position] == UInt8(ascii: "%") {
        guard
          position + 2 < end, hexValue(bytes[position + 1]) != nil,
          hexValue(bytes[position + 2]) != nil
        else { return nil }
        position += 2
      }
      position += 1
    }
    return start..<position
  }
}
