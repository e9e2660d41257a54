/// The arguments of a program, in order: `--option value`, `--option=value`, and plain ones after
/// `--`.
package struct Arguments {
  package enum Argument: Equatable {
    case option(String)
    case plain(String)
  }

  package struct Mistake: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) { self.message = message }
  }

  private var rest: ArraySlice<String>
  private var hasOptions = true
  private var option = ""
  /// The text after the equal sign of the option.
  private var attached: String?

  package init(_ arguments: [String]) {
    rest = arguments[...]
  }

  package mutating func next() throws(Mistake) -> Argument? {
    if attached != nil { throw Mistake("\(option) takes no value") }
    guard let argument = rest.popFirst() else { return nil }
    guard hasOptions, argument.hasPrefix("-"), argument != "-" else { return .plain(argument) }
    if argument == "--" {
      hasOptions = false
      return try next()
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    option = String(parts[0])
    attached = parts.count > 1 ? String(parts[1]) : nil
    return .option(option)
  }

  /// Returns the value of the last option.
  package mutating func value<Value>(
    _ kind: String, _ parse: (String) -> Value?
  ) throws(Mistake) -> Value {
    let text = attached ?? rest.popFirst()
    attached = nil
    guard let value = text.flatMap(parse) else { throw Mistake("\(option) needs \(kind)") }
    return value
  }
}
