/// The syntax that a line of Markdown may begin with.
extension Substring {
  var trimmed: Substring {
    let start = firstIndex { !$0.isBlank } ?? endIndex
    let end = self[start...].lastIndex { !$0.isBlank }.map(index(after:)) ?? start
    return self[start..<end]
  }

  /// The indentation of the text, in columns.
  var indent: Int {
    prefix { $0.isBlank }.reduce(0) { $1 == "\t" ? $0 / 4 * 4 + 4 : $0 + 1 }
  }

  /// Blanks out the markers of block quotes, and returns their number and where their text begins.
  mutating func removeQuoteMarkers(atMost limit: Int) -> (depth: Int, indent: Int) {
    var (depth, textIndent) = (0, 0)
    while depth < limit, trimmed.first == ">" {
      let rest = trimmed.dropFirst()
      textIndent = indent + (rest.first == " " ? 2 : 1)
      self = (String(repeating: " ", count: indent + 1) + rest)[...]
      depth += 1
    }
    return (depth, textIndent)
  }

  /// The character and the length of a code fence that begins here.
  var openingFence: (marker: Character, length: Int)? {
    guard let marker = first, marker == "`" || marker == "~" else { return nil }
    let length = prefix { $0 == marker }.count
    let isInline = marker == "`" && dropFirst(length).contains("`")
    return length >= 3 && !isInline ? (marker, length) : nil
  }

  /// The text of a heading written with number signs.
  var heading: String? {
    let level = prefix { $0 == "#" }.count
    let rest = dropFirst(level)
    guard 1...6 ~= level, rest.first?.isBlank ?? true else { return nil }
    var text = rest.trimmed
    let closing = text.reversed().prefix { $0 == "#" }.count
    let isClosed = closing == text.count || text.dropLast(closing).last?.isBlank == true
    if closing > 0, isClosed { text = text.dropLast(closing).trimmed }
    return String(text)
  }

  /// Whether a line like this turns the paragraph above it into a heading.
  var isUnderline: Bool {
    allSatisfy { $0 == "=" } || allSatisfy { $0 == "-" }
  }

  /// Whether this is a line drawn between blocks.
  var isBreak: Bool {
    guard let mark = first, "-*_".contains(mark) else { return false }
    return count { $0 == mark } >= 3 && allSatisfy { $0 == mark || $0.isBlank }
  }

  /// The length of a list marker that begins here, and the indentation of its item's text.
  var listMarker: (length: Int, width: Int)? {
    let digits = prefix { $0.isASCII && $0.isNumber }.count
    let mark = dropFirst(digits).first
    guard let mark, digits == 0 ? "-*+".contains(mark) : digits < 10 && ".)".contains(mark) else {
      return nil
    }
    let rest = dropFirst(digits + 1)
    guard rest.first?.isBlank ?? true else { return nil }
    let space = rest.indent
    return (digits + 1, digits + 1 + (1...4 ~= space ? space : 1))
  }

  /// The end of the HTML that begins here, if Markdown is ignored inside.
  var htmlEnd: String? {
    if hasPrefix("<!--") { return "-->" }
    let name = dropFirst().prefix { $0.isLetter }.lowercased()
    let isRaw = first == "<" && ["pre", "script", "style", "textarea"].contains(name)
    return isRaw ? "</\(name)>" : nil
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
