/// The text of a block, read from its start to its end.
struct InlineMarkdown {
  struct Reference {
    let line: Int
    let text: String
    let label: String
    var normalized: String { label.normalizedLabel }
  }

  private struct Bracket {
    let position: Int
    let isImage: Bool
    let plainCount: Int
    /// Whether a link may begin here; links don't nest.
    var canBeLink = true
  }

  private(set) var links: [Link] = []
  /// The links of the form `[text][label]`.
  private(set) var references: [Reference] = []
  /// The labels that are defined here, normalized for comparison.
  private(set) var definitions: [String] = []
  /// The attributes of HTML tags that links can target.
  private(set) var anchors: [String] = []
  /// The text as a reader sees it, apart from punctuation.
  var plainText: String { plain.string }

  let isHeading: Bool
  private let firstLine: Int
  private var scanner: Scanner
  private var plain: [Unicode.Scalar] = []
  private var brackets: [Bracket] = []
  private var underscores: [Int] = []

  init(_ block: MarkdownBlock) {
    scanner = Scanner(block.text)
    isHeading = block.isHeading
    firstLine = block.firstLine
    if block.mayDefine { readDefinitions() }
    while let scalar = scanner.next() { read(scalar) }
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    let start = scanner.position - 1
    switch scalar {
    case "\\" where scanner.peek?.isPunctuation == true:
      if let escaped = scanner.next() { plain.append(escaped) }
    case "`":
      plain += scanner.codeSpan()
    case "<":
      if let tag = scanner.tag() { add(tag, at: start) }
    case "!" where scanner.peek == "[":
      _ = scanner.next()
      brackets.append(Bracket(position: start, isImage: true, plainCount: plain.count))
    case "[":
      brackets.append(Bracket(position: start, isImage: false, plainCount: plain.count))
    case "]":
      if let bracket = brackets.popLast(), bracket.canBeLink { close(bracket) }
    case "_":
      readUnderscore()
    case "&":
      plain += scanner.entity() ?? ["&"]
    default:
      plain.append(scalar)
    }
  }

  private mutating func close(_ bracket: Bracket) {
    let textEnd = scanner.position - 1
    if let target = scanner.inlineTarget() {
      addLink(to: target, at: bracket.position)
    } else if !isSubscript(bracket), let label = scanner.referenceLabel() {
      let textStart = bracket.position + (bracket.isImage ? 2 : 1)
      let name = label.isEmpty ? scanner.string(textStart..<textEnd) : label
      let text = scanner.string(bracket.position..<scanner.position)
      references.append(Reference(line: line(at: bracket.position), text: text, label: name))
    } else {
      return
    }
    if bracket.isImage {
      plain.removeSubrange(bracket.plainCount...)
      underscores.removeAll { $0 >= plain.count }
    } else {
      for index in brackets.indices where !brackets[index].isImage {
        brackets[index].canBeLink = false
      }
    }
  }

  /// Whether this is probably a bracket of `table[row][column]`.
  private func isSubscript(_ bracket: Bracket) -> Bool {
    let before = scanner.scalar(before: bracket.position)
    return before == "]" || before?.isWordCharacter == true
  }

  /// Reads the lines of the form `[label]: target "title"` at the start of a paragraph.
  private mutating func readDefinitions() {
    while true {
      let start = scanner.position
      guard let label = scanner.definitionLabel(), let target = scanner.definitionTarget() else {
        scanner.position = start
        return
      }
      definitions.append(label.normalizedLabel)
      addLink(to: target, at: start)
    }
  }

  /// Skips underscores that mean emphasis, but not those of `snake_case`.
  private mutating func readUnderscore() {
    let before = scanner.scalar(before: scanner.position - 1)
    let count = 1 + scanner.read { $0 == "_" }.count
    let canOpen = before?.isWordCharacter != true && scanner.peek?.properties.isWhitespace == false
    let isAfterText = before?.properties.isWhitespace == false
    let canClose = isAfterText && scanner.peek?.isWordCharacter != true
    for _ in 0..<count {
      if canClose, let open = underscores.popLast() {
        plain[open] = "*"  // which anchors leave out, as all punctuation
      } else {
        if canOpen { underscores.append(plain.count) }
        plain.append("_")
      }
    }
  }

  private mutating func add(_ tag: Tag, at position: Int) {
    for (name, value) in tag.attributes {
      switch (tag.name, name) {
      case ("a", "href"), ("img", "src"): addLink(to: value, at: position)
      case (_, "id"), ("a", "name"): anchors.append(value)
      default: break
      }
    }
  }

  private mutating func addLink(to target: String, at position: Int) {
    if let link = Link(to: target, line: line(at: position)) { links.append(link) }
  }

  private func line(at position: Int) -> Int {
    firstLine + scanner.text[..<position].count { $0 == "\n" }
  }
}

extension String {
  fileprivate var normalizedLabel: String {
    lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
