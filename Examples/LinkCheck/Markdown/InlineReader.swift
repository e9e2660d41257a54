/// Finds the links of a block, and its text as a reader sees it.
struct InlineReader {
  private(set) var links: [Link] = []
  /// The attributes of HTML tags that links can lead to.
  private(set) var anchors: [String] = []
  private(set) var plain = ""

  private struct Bracket {
    let start: String.Index
    let isImage: Bool
    /// The length of the plain text before it.
    let plainCount: Int
    var canBeLink = true
  }

  private let block: Block
  /// The defined labels; `nil` if `[text][label]` isn't a link.
  private let labels: Set<String>?
  /// The text that is left.
  private var rest: Substring
  private var brackets: [Bracket] = []
  /// The underscores that end emphasis.
  private var closings: Set<String.Index> = []

  init(_ block: Block, labels: Set<String>?) {
    self.block = block
    self.labels = labels
    rest = block.text[...]
    while let character = rest.first { read(character) }
  }

  private mutating func read(_ character: Character) {
    let start = rest.startIndex
    switch character {
    case "`":
      readCode()
    case "\\", "&":
      if let escape = take(escaped) { plain += unescaped(escape) } else { takePlain() }
    case "<":
      readTag()
    case "!" where rest.hasPrefix("!["), "[":
      let isImage = character == "!"
      brackets.append(Bracket(start: start, isImage: isImage, plainCount: plain.count))
      rest = rest.dropFirst(isImage ? 2 : 1)
    case "]":
      rest.removeFirst()
      if let bracket = brackets.popLast(), bracket.canBeLink { close(bracket) }
    case "_":
      let run = rest.prefix { $0 == "_" }
      rest = rest[run.endIndex...]
      if closings.remove(start) != nil { return }
      if !isWord(before: start),
        let match = rest.prefixMatch(of: /[^\s_](?:[^_]|\w_+(?=\w))*?(_+)(?!\w)/)
      {
        closings.insert(match.1.startIndex)
      } else {
        plain += run
      }
    default:
      takePlain()
    }
  }

  /// Takes what matches at the beginning of the rest.
  private mutating func take<Match>(_ regex: Regex<Match>) -> Match? {
    guard let match = rest.prefixMatch(of: regex) else { return nil }
    rest = rest[match.range.upperBound...]
    return match.output
  }

  /// Takes a character, and those after it that mean nothing.
  private mutating func takePlain() {
    plain.append(rest.removeFirst())
    let text = rest.prefix { !"\\&`<![]_".contains($0) }
    plain += text
    rest = rest[text.endIndex...]
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
    let start = rest.startIndex
    if let link = take(/<(doc:[^\s>]+)>/) {
      addLink(to: String(link.1), at: start)
    } else if let tag = take(htmlTag) {
      let attributes = (tag.2 ?? "").matches(
        of: /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>\/]+))/)
      for attribute in attributes {
        let value = unescaped(attribute.2 ?? attribute.3 ?? attribute.4 ?? "")
        switch (tag.1?.lowercased(), attribute.1.lowercased()) {
        case ("a", "href"), ("img", "src"): addLink(to: value, at: start)
        case (_, "id"), ("a", "name"): anchors.append(value)
        default: break
        }
      }
    } else {
      takePlain()
    }
  }

  /// Reads what makes a link of the bracket that ends here: `(target "title")`, or `[label]`.
  private mutating func close(_ bracket: Bracket) {
    let text = block.text[bracket.start..<rest.startIndex]
    if let target = take(linkTarget) {
      addLink(to: unescaped(target.1 ?? target.2 ?? ""), at: bracket.start)
    } else if !isWord(before: bracket.start),  // not `table[row][column]`
      block.text[..<bracket.start].last != "]",
      let reference = take(/\[(?!\^)((?:[^\[\]\\]|\\.)*)\](?!\()/)
    {
      let own = text.dropFirst(bracket.isImage ? 2 : 1).dropLast()
      let label = reference.1.isEmpty ? own : reference.1
      let link = Link(
        line: line(of: bracket.start), text: String(text + reference.0),
        target: .undefinedReference(String(label)))
      if labels?.contains(label.normalized) == false { links.append(link) }
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

  private func isWord(before position: String.Index) -> Bool {
    block.text[..<position].last.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  private func line(of position: String.Index) -> Int {
    block.line + block.text[..<position].count { $0 == "\n" }
  }

  private func unescaped(_ text: Substring) -> String {
    let entities = [
      "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&nbsp;": "\u{A0}",
    ]
    return String(text).replacing(escaped) { entities[String($0.0)] ?? String($0.0.dropFirst()) }
  }
}

/// An escaped character, or an entity.
private var escaped: Regex<Substring> { /\\[!-\/:-@\[-`{-~]|&(?:amp|lt|gt|quot|nbsp|#39);/ }

/// `(target "title")`, with the target in angle brackets or without spaces.
private var linkTarget: Regex<(Substring, Substring?, Substring?)> {
  /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/
}

/// A tag with its name and attributes, a comment, or a link to the network.
private var htmlTag: Regex<(Substring, Substring?, Substring?)> {
  /<!--[\s\S]*?-->|<[A-Za-z][\w+.\-]*[:@][^\s>]*>|<\/?([A-Za-z][\w\-]*)((?:\s+[^\s=>\/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/
}
