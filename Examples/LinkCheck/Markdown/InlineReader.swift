/// Finds the links of a block, and its text as a reader sees it.
struct InlineReader {
  private(set) var links: [Link] = []
  /// The attributes of HTML tags that links can lead to.
  private(set) var anchors: [String] = []
  private(set) var plain = ""

  private let block: Block
  /// The text that is left.
  private var rest: Substring
  private var brackets: [(start: String.Index, isImage: Bool, plainCount: Int, canBeLink: Bool)] =
    []
  /// The underscores that end emphasis.
  private var closings: Set<String.Index> = []

  init(_ block: Block) {
    self.block = block
    rest = block.text[...]
    while let character = rest.first { read(character) }
  }

  private mutating func read(_ character: Character) {
    let start = rest.startIndex
    switch character {
    case "`":
      readCode()
    case "\\", "&":
      if let match = rest.prefixMatch(of: Syntax.escape) {
        plain += unescaped(match.0)
        rest = rest[match.range.upperBound...]
      } else {
        plain.append(rest.removeFirst())
      }
    case "<":
      readTag()
    case "!" where rest.hasPrefix("!["), "[":
      brackets.append((start, character == "!", plain.count, true))
      rest = rest.dropFirst(character == "!" ? 2 : 1)
    case "]":
      rest.removeFirst()
      if let bracket = brackets.popLast(), bracket.canBeLink { close(bracket) }
    case "_":
      let run = rest.prefix { $0 == "_" }
      rest = rest[run.endIndex...]
      if closings.remove(start) != nil { return }
      if block.text[..<start].last?.isWordCharacter != true,
        let match = rest.prefixMatch(of: /[^\s_](?:[^_]|\w_+(?=\w))*?(_+)(?!\w)/)
      {
        closings.insert(match.1.startIndex)
      } else {
        plain += run
      }
    default:
      let text = rest.prefix { !"\\&`<![]_".contains($0) }
      plain += text.isEmpty ? rest.prefix(1) : text
      rest = rest[(text.isEmpty ? rest.index(after: start) : text.endIndex)...]
    }
  }

  /// Reads the code between this number of backticks and the same number.
  private mutating func readCode() {
    let opening = rest.prefix { $0 == "`" }
    rest = rest[opening.endIndex...]
    let end = rest.matches(of: /`+/).first { $0.0.count == opening.count }
    plain += end.map { rest[..<$0.range.lowerBound] } ?? opening
    if let end { rest = rest[end.range.upperBound...] }
  }

  private mutating func readTag() {
    if let match = rest.prefixMatch(of: /<(doc:[^\s>]+)>/) {
      addLink(to: String(match.1), at: rest.startIndex)
      rest = rest[match.range.upperBound...]
    } else if let match = rest.prefixMatch(of: Syntax.tag) {
      for attribute in (match.2 ?? "").matches(
        of: /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>\/]+))/)
      {
        let value = unescaped(attribute.2 ?? attribute.3 ?? attribute.4 ?? "")
        switch (match.1?.lowercased(), attribute.1.lowercased()) {
        case ("a", "href"), ("img", "src"): addLink(to: value, at: rest.startIndex)
        case (_, "id"), ("a", "name"): anchors.append(value)
        default: break
        }
      }
      rest = rest[match.range.upperBound...]
    } else {
      plain.append(rest.removeFirst())
    }
  }

  /// Reads what makes a link of the bracket that ends here: `(target "title")`, or `[label]`.
  private mutating func close(
    _ bracket: (start: String.Index, isImage: Bool, plainCount: Int, canBeLink: Bool)
  ) {
    let text = block.text[bracket.start..<rest.startIndex]
    let before = block.text[..<bracket.start].last
    if let match = rest.prefixMatch(of: Syntax.target) {
      addLink(to: unescaped(match.1 ?? match.2 ?? ""), at: bracket.start)
      rest = rest[match.range.upperBound...]
    } else if before != "]", before?.isWordCharacter != true,  // not `table[row][column]`
      let match = rest.prefixMatch(of: /\[(?!\^)((?:[^\[\]\\]|\\.)*)\](?!\()/)
    {
      rest = rest[match.range.upperBound...]
      let label =
        match.1.isEmpty ? text.dropFirst(bracket.isImage ? 2 : 1).dropLast() : match.1
      links.append(
        Link(
          line: line(of: bracket.start), text: String(text + match.0),
          target: .undefinedReference(String(label))))
    } else {
      return
    }
    if bracket.isImage {
      plain = String(plain.prefix(bracket.plainCount))
    } else {
      for index in brackets.indices where !brackets[index].isImage {
        brackets[index].canBeLink = false  // links don't nest
      }
    }
  }

  private mutating func addLink(to target: String, at position: String.Index) {
    if let link = Link(to: target, line: line(of: position)) { links.append(link) }
  }

  private func line(of position: String.Index) -> Int {
    block.line + block.text[..<position].count { $0 == "\n" }
  }

  private func unescaped(_ text: Substring) -> String {
    String(text).replacing(Syntax.escape) { match -> String in
      switch match.0 {
      case "&amp;": "&"
      case "&lt;": "<"
      case "&gt;": ">"
      case "&quot;": "\""
      case "&#39;": "'"
      case "&nbsp;": "\u{A0}"
      default: String(match.0.dropFirst())
      }
    }
  }
}

private enum Syntax {
  /// An escaped character, or an entity.
  static var escape: Regex<Substring> { /\\[!-\/:-@\[-`{-~]|&(?:amp|lt|gt|quot|nbsp|#39);/ }

  /// `(target "title")`, with the target in angle brackets or without spaces.
  static var target: Regex<(Substring, Substring?, Substring?)> {
    /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/
  }

  /// A tag with its name and attributes, a comment, or a link to the network.
  static var tag: Regex<(Substring, Substring?, Substring?)> {
    /<!--[\s\S]*?-->|<[A-Za-z][\w+.\-]*[:@][^\s>]*>|<\/?([A-Za-z][\w\-]*)((?:\s+[^\s=>\/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/
  }
}
