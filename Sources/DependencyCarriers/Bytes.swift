extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var lowercasedASCII: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self + 32 : self
  }

  /// A space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether HTTP allows it in a token.
  var isTokenByte: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercasedASCII
      || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }

  /// Whether W3C baggage allows it in a value.
  var isBaggageOctet: Bool { 0x21...0x7E ~= self && !"\",;\\".utf8.contains(self) }
}
