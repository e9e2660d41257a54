/// Percent-encodes the bytes of a text for which `isKept` is false, and `%`.
func percentEncoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
  let percent = UInt8(ascii: "%")
  if text.utf8.allSatisfy({ isKept($0) && $0 != percent }) { return text }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count * 3)
  for byte in text.utf8 {
    if isKept(byte), byte != percent {
      bytes.append(byte)
    } else {
      bytes.append(percent)
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 15))
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Decodes percent-encoded UTF-8.
///
/// Returns `nil` for a `%` without two digits, and for invalid UTF-8.
func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var iterator = bytes.makeIterator()
  while var byte = iterator.next() {
    if byte == UInt8(ascii: "%") {
      guard
        let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue)
      else { return nil }
      byte = high << 4 | low
    }
    decoded.append(byte)
  }
  return String(validating: decoded, as: UTF8.self)
}

func hexValue(_ byte: UInt8) -> UInt8? {
  Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
