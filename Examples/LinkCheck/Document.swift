import Foundation

/// The links of a file, and the anchors that links can lead to.
struct Document {
  private(set) var links: [Link] = []
  private(set) var anchors: Set<String> = []

  /// Reads a Markdown file, or the doc comments of a Swift file.
  init(_ text: String, of file: Path) {
    guard !file.isSwift || ["](", "]:", "<a ", "<img ", "<doc:"].contains(where: text.contains)
    else { return }
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
      .map { Line(number: $0.offset + 1, text: $0.element) }
    if file.isSwift {
      for comment in docComments(in: lines) { add(comment, isDocC: true) }
      // In doc comments, `[a][b]` is more often an array than a link.
      links.removeAll { if case .undefinedReference = $0.target { true } else { false } }
    } else {
      add(lines, isDocC: file.string.contains(".docc/"))
    }
  }

  private mutating func add(_ lines: [Line], isDocC: Bool) {
    var reader = BlockReader()
    let blocks = reader.blocks(of: lines)
    links += reader.definitions.compactMap { Link(to: $0.target, line: $0.line) }
    let labels = Set(reader.definitions.map { normalized($0.label) })
    var headings: [String] = []
    for block in blocks {
      let text = InlineReader(block)
      links += text.links.filter {
        if case .undefinedReference(let label) = $0.target {
          !labels.contains(normalized(label))
        } else {
          true
        }
      }
      anchors.formUnion(text.anchors)
      if block.isHeading { headings.append(text.plain) }
    }
    anchors.formUnion(headingAnchors(headings.map { $0.lowercased() }))
    // Pages generated from doc comments preserve the case.
    if isDocC { anchors.formUnion(headingAnchors(headings)) }
  }

  private func normalized(_ label: String) -> String {
    label.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

struct Line {
  /// Counted from 1.
  let number: Int
  var text: Substring
}

/// A link in a document.
struct Link: Equatable {
  enum Target: Equatable {
    case sameFile(anchor: String?)
    case file(String, anchor: String?)
    /// The last path component of a `doc:` link.
    case article(String, anchor: String)
    case undefinedReference(String)
  }

  let line: Int
  let text: String
  let target: Target
}

extension Link {
  /// Creates a link to a target such as `docs/Guide.md#start`; `nil` if it leads to the network, or
  /// may lead to a symbol.
  init?(to text: String, line: Int) {
    let isArticle = text.hasPrefix("doc:")
    guard isArticle || text.prefixMatch(of: /\/\/|[A-Za-z][A-Za-z0-9+.\-]*:/) == nil else {
      return nil
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.removingPercentEncoding ?? String($0) }
    let location = parts[0].split(separator: "?", omittingEmptySubsequences: false).map(String.init)
    // Every page has a top. With a query, the anchor may belong to another page.
    let anchor = parts.dropFirst().first.flatMap { anchor in
      ["", "top"].contains(anchor.lowercased()) || location.count > 1 ? nil : anchor
    }
    if isArticle {
      guard let anchor else { return nil }
      let name = location[0].dropFirst("doc:".count).split(separator: "/").last ?? ""
      target = .article(String(name), anchor: anchor)
    } else {
      target =
        location[0].isEmpty ? .sameFile(anchor: anchor) : .file(location[0], anchor: anchor)
    }
    self.line = line
    self.text = text
  }
}

/// Returns the doc comments of a Swift file, each as the lines of a Markdown document.
private func docComments(in lines: [Line]) -> [[Line]] {
  var comments: [[Line]] = []
  var isInString = false
  for line in lines {
    if line.text.ranges(of: "\"\"\"").count % 2 == 1 { isInString.toggle() }
    var text = line.text.drop { $0 == " " }
    guard !isInString, text.hasPrefix("///"), !text.hasPrefix("////") else { continue }
    text = text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    if comments.last?.last?.number != line.number - 1 { comments.append([]) }
    comments[comments.count - 1].append(Line(number: line.number, text: text))
  }
  return comments
}

/// Returns the anchors that GitHub gives to lowercased headings, without punctuation and with
/// hyphens for spaces.
func headingAnchors(_ headings: [String]) -> [String] {
  var counts: [String: Int] = [:]
  return headings.map { heading in
    var scalars = String.UnicodeScalarView()
    for scalar in heading.unicodeScalars {
      if scalar == " " { scalars.append("-") }
      if scalar == "-" || Character(scalar).isWordCharacter { scalars.append(scalar) }
    }
    let anchor = String(scalars)
    let count = counts[anchor, default: 0]
    counts[anchor] = count + 1
    return count == 0 ? anchor : "\(anchor)-\(count)"
  }
}

extension Character {
  /// A letter, a mark, a digit or an underscore, in any script.
  var isWordCharacter: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
        true
      default: scalar.properties.isAlphabetic
      }
    }
  }
}
