/// A heading, or a paragraph, whose text may contain links.
struct Block {
  let line: Int
  var text: String
  var isHeading = false
}

/// Splits a document into blocks, and skips code.
struct BlockReader {
  /// The lines of the form `[label]: target "title"`, with normalized labels.
  private(set) var definitions: [(label: String, target: String, line: Int)] = []
  private var blocks: [Block] = []
  private var paragraph: Block?
  private var fence: (marker: Substring, indent: Int, isQuoted: Bool)?
  /// Where the text of each list item that contains this line begins.
  private var listIndents: [Int] = []
  /// The end of the HTML in which Markdown is ignored.
  private var htmlEnd: String?

  mutating func blocks(of lines: [Line]) -> [Block] {
    var lines = lines[...]
    if lines.first?.text == "---",
      let end = lines.dropFirst().firstIndex(where: { $0.text == "---" })
    {
      lines = lines[(end + 1)...]  // front matter
    }
    for line in lines { read(line) }
    endParagraph()
    return blocks
  }

  private mutating func read(_ line: Line) {
    if let end = htmlEnd {
      if line.text.contains(end) { htmlEnd = nil }
      return
    }
    var (indent, text) = line.text.indented(from: 0)
    if let fence {
      if fence.isQuoted, text.first == ">" { (indent, text) = text.dropFirst().indented(from: 1) }
      let isEnd = text.hasPrefix(fence.marker) && text.allSatisfy { $0 == fence.marker.first }
      if isEnd, indent < fence.indent + 4 { self.fence = nil }
      return
    }
    guard !text.isEmpty else { return endParagraph() }
    var isQuoted = false
    if paragraph == nil {
      listIndents.removeAll { $0 > indent }
      if indent >= (listIndents.last ?? 0) + 4 { return }  // indented code
    }

    while let first = text.first, ">-*+".contains(first) || first.isNumber,
      let marker = text.prefixMatch(of: />|(?:[-*+]|\d{1,9}[.)])(?=\s|$)/), !text.isBreak
    {
      endParagraph()
      let start = indent + marker.0.count
      let rest = text[marker.range.upperBound...].indented(from: start)
      guard !rest.text.isEmpty else { return }
      // Indented code in an item begins five columns after the marker.
      let isCode = rest.indent > start + 4
      if marker.0 == ">" {
        isQuoted = true
      } else {
        listIndents.removeAll { $0 > indent }
        listIndents.append(isCode ? start + 1 : rest.indent)
      }
      if isCode { return }
      (indent, text) = rest
    }

    // A regular expression takes long, so it's asked only where it may match.
    if text.hasPrefix("```") || text.hasPrefix("~~~"),
      let match = text.prefixMatch(of: /`{3,}(?=[^`]*$)|~{3,}/)
    {
      endParagraph()
      fence = (match.0, indent, isQuoted)
    } else if text.first == "#",
      let match = text.wholeMatch(of: /#{1,6}(?:\s+(.*?))??(?:\s+#+)?\s*/)
    {
      endParagraph()
      blocks.append(Block(line: line.number, text: String(match.1 ?? ""), isHeading: true))
    } else if paragraph != nil, text.allSatisfy({ $0 == "=" }) || text.allSatisfy({ $0 == "-" }) {
      paragraph?.isHeading = true
      endParagraph()
    } else if text.isBreak {
      endParagraph()
    } else if text.first == "<",
      let match = text.prefixMatch(of: /<(?:!--|(pre|script|style|textarea)\b)/)
    {
      endParagraph()
      let end = match.1.map { "</\($0)>" } ?? "-->"
      if !text.contains(end) { htmlEnd = end }
    } else if paragraph == nil, text.first == "[",
      let match = text.wholeMatch(of: definition)
    {
      definitions.append((match.1.normalized, String(match.2 ?? match.3 ?? ""), line.number))
    } else if paragraph != nil {
      paragraph?.text += "\n\(text)"
    } else {
      paragraph = Block(line: line.number, text: String(text))
    }
  }

  private mutating func endParagraph() {
    if let paragraph { blocks.append(paragraph) }
    paragraph = nil
  }
}

private var definition: Regex<(Substring, Substring, Substring?, Substring?)> {
  /\[(?!\^)([^\[\]]+)\]:\s*(?:<([^<>]*)>|([^\s<]\S*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*/
}

extension Substring {
  /// A label as it's compared.
  var normalized: String {
    lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the text without white space around it, and the column at which it begins.
  fileprivate func indented(from column: Int) -> (indent: Int, text: Substring) {
    let start = firstIndex { $0 != " " && $0 != "\t" } ?? endIndex
    let end = lastIndex { $0 != " " && $0 != "\t" }.map(index(after:)) ?? start
    let indent = self[..<start].reduce(column) { $1 == "\t" ? $0 / 4 * 4 + 4 : $0 + 1 }
    return (indent, self[start..<Swift.max(start, end)])
  }

  /// Whether this is a line drawn between blocks.
  fileprivate var isBreak: Bool {
    guard let mark = first, "-*_".contains(mark) else { return false }
    return count { $0 == mark } >= 3 && allSatisfy { $0 == mark || $0 == " " || $0 == "\t" }
  }
}
