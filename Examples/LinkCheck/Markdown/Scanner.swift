/// A position in a text, and functions that read from it.
///
/// A function that can't read what it expects leaves the position unchanged.
struct Scanner {
  let text: [Unicode.Scalar]
  var position = 0

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
  }

  var peek: Unicode.Scalar? { position < text.count ? text[position] : nil }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    position += 1
    return scalar
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func read(while condition: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
    let start = position
    while let scalar = peek, condition(scalar) { position += 1 }
    return text[start..<position]
  }

  mutating func skipSpace() {
    _ = read { $0.properties.isWhitespace }
  }

  /// Returns the result of `read`; if it is `nil`, restores the position.
  mutating func attempt<Value>(_ read: (inout Scanner) -> Value?) -> Value? {
    var copy = self
    guard let value = read(&copy) else { return nil }
    self = copy
    return value
  }

  /// Returns the result of `read`; if it is `false`, restores the position.
  mutating func succeeds(_ read: (inout Scanner) -> Bool) -> Bool {
    attempt { read(&$0) ? true : nil } ?? false
  }

  func string(_ range: Range<Int>) -> String {
    text[range].string
  }

  func scalar(before position: Int) -> Unicode.Scalar? {
    position > 0 ? text[position - 1] : nil
  }
}

extension Collection<Unicode.Scalar> {
  var string: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: self)
    return String(view)
  }
}

extension Unicode.Scalar {
  var isASCIILetter: Bool { "a"..."z" ~= self || "A"..."Z" ~= self }

  /// Whether this can occur in a scheme such as `https:`, or in the name of a tag, which allows
  /// less.
  var isSchemeCharacter: Bool {
    isASCIILetter || "0"..."9" ~= self || "+.-".unicodeScalars.contains(self)
  }

  /// Whether a backslash can escape this.
  var isPunctuation: Bool {
    switch self {
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": true
    default: false
    }
  }
}
