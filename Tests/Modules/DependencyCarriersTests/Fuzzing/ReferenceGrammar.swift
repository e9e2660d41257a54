/// The grammar of W3C Baggage, implemented a second time by splitting instead of scanning.
enum ReferenceGrammar {
  /// Returns the key, the decoded value (`nil` if it isn't UTF-8) and the text of a list member;
  /// `nil` if it is malformed.
  static func member(_ text: [UInt8]) -> (key: [UInt8], value: [UInt8])? {
    let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let first = parts.first, let (key, value) = pair(first), let value else { return nil }
    for property in parts.dropFirst() where pair(property) == nil { return nil }
    return (key, value)
  }

  /// Parses `key = value`, or a key alone.
  private static func pair(_ text: ArraySlice<UInt8>) -> (key: [UInt8], value: [UInt8]?)? {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      let key = trimmed(text)
      return isToken(key) ? (key, nil) : nil
    }
    let (key, value) = (trimmed(text[..<equals]), trimmed(text[(equals + 1)...]))
    guard isToken(key), value.allSatisfy(isOctet), hasOnlyWholeEscapes(value) else { return nil }
    return (key, value)
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var text = text
    while let byte = text.first, byte == 32 || byte == 9 { text = text.dropFirst() }
    while let byte = text.last, byte == 32 || byte == 9 { text = text.dropLast() }
    return Array(text)
  }

  private static func isToken(_ text: [UInt8]) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
      }
  }

  private static func isOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
    default: false
    }
  }

  private static func hasOnlyWholeEscapes(_ text: [UInt8]) -> Bool {
    var digits = 0
    for byte in text {
      switch byte {
      case _ where digits > 0:
        guard Character(Unicode.Scalar(byte)).isHexDigit else { return false }
        digits -= 1
      case 0x25: digits = 2
      default: break
      }
    }
    return digits == 0
  }
}
