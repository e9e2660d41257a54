/// A heading, paragraph, item or table row, whose text may contain links.
struct MarkdownBlock {
  let firstLine: Int
  var text: String
  var isHeading = false
  /// Whether it may begin with definitions of references.
  var mayDefine = true
}

/// Splits a document into blocks, and skips code.
struct MarkdownBlocks {
  private struct Fence {
    let marker: Character
    let length: Int
    let listIndent: Int
    let quoteDepth: Int
  }

  private(set) var blocks: [MarkdownBlock] = []
  private var paragraph: MarkdownBlock?
  private var listIndents: [Int] = []
  private var quoteDepth = 0
  private var fence: Fence?
  /// The end of the HTML in which Markdown is ignored.
  private var htmlEnd: String?

  init(_ lines: [Line]) {
    var lines = lines[...]
    if lines.first?.text == "---",
      let end = lines.dropFirst().firstIndex(where: { $0.text == "---" })
    {
      lines = lines[(end + 1)...]  // front matter
    }
    for line in lines { add(line) }
    endParagraph()
  }

  private mutating func add(_ line: Line, quoteDepth outerDepth: Int = 0) {
    if let htmlEnd {
      if line.text.contains(htmlEnd) { self.htmlEnd = nil }
      return
    }
    var line = line
    var quotes = (depth: 0, indent: 0)
    if line.text.indent - (listIndents.last ?? 0) < 4 {
      quotes = line.text.removeQuoteMarkers(atMost: fence?.quoteDepth ?? 100)
    }
    let depth = outerDepth + quotes.depth
    let indent = line.text.indent
    let text = line.text.trimmed

    if let fence {
      let isLeft = depth < fence.quoteDepth || (!text.isEmpty && indent < fence.listIndent)
      if !isLeft {
        let isEnd =
          text.allSatisfy { $0 == fence.marker } && text.count >= fence.length
          && indent - max(fence.listIndent, quotes.indent) < 4
        if isEnd { self.fence = nil }
        return
      }
      self.fence = nil
    }
    if depth > quoteDepth { endParagraph() }
    quoteDepth = depth
    guard !text.isEmpty else { return endParagraph() }

    let listIndent = listIndents.last { $0 <= indent } ?? 0
    if indent - max(listIndent, quotes.indent) >= 4 {
      // Indented code can't interrupt a paragraph, whose lines may have any indentation.
      if paragraph != nil { extendParagraph(text, line.number) }
      return
    }
    if let (marker, length) = text.openingFence {
      enterList(at: indent)
      fence = Fence(
        marker: marker, length: length, listIndent: listIndents.last ?? 0, quoteDepth: depth)
    } else if let heading = text.heading {
      enterList(at: indent)
      blocks.append(
        MarkdownBlock(firstLine: line.number, text: heading, isHeading: true, mayDefine: false))
    } else if paragraph != nil, text.isUnderline, indent >= (listIndents.last ?? 0) {
      paragraph?.isHeading = true
      endParagraph()
    } else if text.isBreak {
      enterList(at: indent)
    } else if let marker = text.listMarker, listIndents.count < 100 {
      enterList(at: indent)
      listIndents.append(indent + marker.width)
      let padding = String(repeating: " ", count: indent + marker.length)
      let item = padding + text.dropFirst(marker.length)
      add(Line(number: line.number, text: item[...]), quoteDepth: depth)
    } else if let end = text.htmlEnd {
      endParagraph()
      if !text.contains(end) { htmlEnd = end }
    } else if text.hasPrefix("|") {
      enterList(at: indent)
      blocks.append(MarkdownBlock(firstLine: line.number, text: String(text)))
    } else {
      if paragraph == nil { enterList(at: indent) }
      extendParagraph(text, line.number)
    }
  }

  /// Ends the paragraph, and the list items that don't contain a block at this indentation.
  private mutating func enterList(at indent: Int) {
    endParagraph()
    while let last = listIndents.last, last > indent { listIndents.removeLast() }
  }

  private mutating func extendParagraph(_ text: Substring, _ number: Int) {
    if paragraph == nil { paragraph = MarkdownBlock(firstLine: number, text: "") }
    if paragraph?.text.isEmpty == false { paragraph?.text += "\n" }
    paragraph?.text += text
  }

  private mutating func endParagraph() {
    if let paragraph { blocks.append(paragraph) }
    paragraph = nil
  }
}
