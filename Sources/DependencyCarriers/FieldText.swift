/// How a value is written where one field holds one value, as in an HTTP header or an environment
/// variable.
enum FieldText {
  /// Escapes what a header can't hold, and the spaces at either end, which HTTP would trim.
  static func encode(_ text: String) -> String {
    let isTrimmed = text.utf8.first != 0x20 && text.utf8.last != 0x20
    return percentEncoded(text) { 0x21...0x7E ~= $0 || ($0 == 0x20 && isTrimmed) }
  }

  static func decode(_ text: String) -> Received {
    if text.utf8.count > longestText { return .tooLong }
    guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), let decoded = percentDecoded(text.utf8)
    else {
      return .malformed
    }
    return .text(decoded)
  }
}
