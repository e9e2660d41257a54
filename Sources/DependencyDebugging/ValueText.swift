/// Describes values of dependencies, which may be huge, or read dependencies themselves.
enum ValueText {
  /// The maximum number of characters of a description.
  static let limit = 200

  /// Whether a value is being described, so that one whose description explains a scope ends.
  @TaskLocal private static var isDescribing = false

  /// A value on one line, cut if it is long.
  ///
  /// No lock of the library is held meanwhile. Inside a description, a value is its type.
  static func of(_ value: Any) -> String {
    if isDescribing { return "\(type(of: value))" }
    return $isDescribing.withValue(true) {
      var text = CutText()
      if value is any StringProtocol {
        debugPrint(value, terminator: "", to: &text)
      } else {
        print(value, terminator: "", to: &text)
      }
      return text.line
    }
  }
}

/// Keeps the beginning of what is written.
private struct CutText: TextOutputStream {
  private var text = ""
  private var count = 0
  private var isCut = false

  mutating func write(_ string: String) {
    if isCut { return }
    let part = string.prefix(ValueText.limit - count)
    text += part
    count += part.count
    isCut = part.endIndex < string.endIndex
  }

  var line: String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ") + (isCut ? "…" : "")
  }
}
