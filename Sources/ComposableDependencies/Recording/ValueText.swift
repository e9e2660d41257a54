/// Describes values of dependencies, which may be huge, or read dependencies themselves.
enum ValueText {
  /// The maximum number of characters of a description.
  static let limit = 200

  /// Whether a value is being described, so that one whose description explains a scope ends.
  @TaskLocal private static var isDescribing = false
  /// How deep a derived environment is in the one that is described; they may derive each other.
  @TaskLocal private static var environmentDepth = 0

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

  /// A derived environment, cut a few levels down.
  static func of(_ environment: some DependencyEnvironment) -> String {
    if isDescribing || environmentDepth > 3 { return "\(type(of: environment))" }
    return $environmentDepth.withValue(environmentDepth + 1) { environment.description }
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
