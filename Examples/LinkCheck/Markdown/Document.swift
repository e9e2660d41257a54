/// The links of a file, and its link targets.
struct Document {
  private(set) var links: [Link] = []
  private(set) var anchors: Set<String> = []

  /// Reads a Markdown file, or the doc comments of a Swift file.
  init(_ text: String, of file: Path) {
    if file.isSwift {
      for comment in docComments(in: text) { add(comment, isDocC: true) }
      // In doc comments, `[a][b]` is more often an array than a link.
      links.removeAll { if case .undefinedReference = $0.target { true } else { false } }
    } else {
      add(lines(of: text), isDocC: file.string.contains(".docc/"))
    }
  }

  private mutating func add(_ lines: [Line], isDocC: Bool) {
    let texts = MarkdownBlocks(lines).blocks.map(InlineMarkdown.init)
    let definitions = Set(texts.flatMap(\.definitions))
    for text in texts {
      links += text.links
      links += text.references.filter { !definitions.contains($0.normalized) }
        .map { Link(line: $0.line, text: $0.text, target: .undefinedReference($0.label)) }
      anchors.formUnion(text.anchors)
    }
    let headings = texts.filter(\.isHeading).map(\.plainText)
    anchors.formUnion(headingAnchors(headings.map { $0.lowercased() }))
    // Pages generated from doc comments preserve the case.
    if isDocC { anchors.formUnion(headingAnchors(headings)) }
  }
}

/// A line of a file, counted from 1.
struct Line {
  let number: Int
  var text: Substring
}

func lines(of text: String) -> [Line] {
  let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
  return text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
    .enumerated().map { Line(number: $0.offset + 1, text: $0.element) }
}
