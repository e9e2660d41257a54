/// Returns the doc comments of a Swift file, each as the lines of a Markdown document.
func docComments(in text: String) -> [[Line]] {
  guard text.contains("](") || text.contains("]:") || text.contains("<a ") || text.contains("<img ")
  else { return [] }
  var scanner = SwiftScanner(text)
  scanner.readCode(untilClosingParenthesis: false)
  return scanner.comments
}

/// Finds comments in Swift code, but not in string literals.
private struct SwiftScanner {
  private(set) var comments: [[Line]] = []
  private var scanner: Scanner
  private var line = 1

  init(_ text: String) {
    scanner = Scanner(text.replacing("\r\n", with: "\n"))
  }

  mutating func readCode(untilClosingParenthesis: Bool) {
    var depth = 1
    while let scalar = next() {
      switch scalar {
      case "/" where scanner.peek == "/": readLineComment()
      case "/" where scanner.peek == "*": readBlockComment()
      case "\"": readString(hashes: 0)
      case "#":
        let hashes = 1 + scanner.read { $0 == "#" }.count
        if scanner.skip("\"") { readString(hashes: hashes) }
      case "(": depth += 1
      case ")" where untilClosingParenthesis:
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
  }

  private mutating func next() -> Unicode.Scalar? {
    let scalar = scanner.next()
    if scalar == "\n" { line += 1 }
    return scalar
  }

  private mutating func readLineComment() {
    let comment = scanner.read { $0 != "\n" }.string
    guard comment.hasPrefix("//"), !comment.hasPrefix("///") else { return }
    let text = comment.dropFirst(2)
    let content = Line(number: line, text: text.first == " " ? text.dropFirst() : text)
    if comments.last?.last?.number == line - 1 {
      comments[comments.count - 1].append(content)
    } else {
      comments.append([content])
    }
  }

  private mutating func readBlockComment() {
    let (start, firstLine) = (scanner.position, line)
    _ = next()
    var depth = 1
    while depth > 0, let scalar = next() {
      if scalar == "*", scanner.skip("/") { depth -= 1 }
      if scalar == "/", scanner.skip("*") { depth += 1 }
    }
    let comment = scanner.string(start..<scanner.position)
    guard comment.hasPrefix("**"), !comment.hasPrefix("***"), comment != "**/" else { return }
    comments.append(
      comment.dropFirst(2).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated().map { Line(number: firstLine + $0.offset, text: $0.element.withoutStar) })
  }

  /// Reads to the end of a string literal, including interpolated code.
  private mutating func readString(hashes: Int) {
    let isMultiline = skip("\"", 2)
    let quotes = isMultiline ? 3 : 1
    while let scalar = next() {
      if scalar == "\n", !isMultiline { return }
      if scalar == "\\", skip("#", hashes) {
        if next() == "(" { readCode(untilClosingParenthesis: true) }
      } else if scalar == "\"", skip("\"", quotes - 1), skip("#", hashes) {
        return
      }
    }
  }

  /// Skips a scalar a number of times, and returns whether that was possible.
  private mutating func skip(_ scalar: Unicode.Scalar, _ count: Int) -> Bool {
    scanner.succeeds { scanner in (0..<count).allSatisfy { _ in scanner.skip(scalar) } }
  }
}

extension Substring {
  /// A line of a block comment without its leading star.
  fileprivate var withoutStar: Substring {
    let text = trimmed
    guard text.first == "*" else { return self }
    let rest = text.dropFirst()
    return rest.first == " " ? rest.dropFirst() : rest
  }
}
