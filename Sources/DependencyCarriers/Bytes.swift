extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var lowercasedASCII: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self + 32 : self
  }

  /// A space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether HTTP allows it in a token.
  var isTokenByte: Bool { Self.classes[Int(self)] & 1 != 0 }

  /// Whether W3C baggage allows it in a value.
  var isBaggageOctet: Bool { Self.classes[Int(self)] & 2 != 0 }

  /// One bit for tokens, one for values of baggage.
  private static let classes: [UInt8] = (UInt8.min...UInt8.max).map { byte in
    let isAlphanumeric =
      byte.isDigit || "a"..."z" ~= Character(Unicode.Scalar(byte.lowercasedASCII))
    let isToken = isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    let isOctet = 0x21...0x7E ~= byte && !"\",;\\".utf8.contains(byte)
    return (isToken ? 1 : 0) | (isOctet ? 2 : 0)
  }
}
