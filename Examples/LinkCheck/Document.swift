import Foundation

/// The links of a file, and the anchors that links can lead to.
struct Document {
  private(set) var links: [Link] = []
  private(set) var anchors: Set<String> = []

  /// Reads a Markdown file, or the doc comments of a Swift file.
  init(_ text: String, of file: Path) {
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
      .map { Line($0.offset + 1, $0.element) }
    for part in file.isSwift ? docComments(in: lines) : [lines] { add(part, of: file) }
  }

  private mutating func add(_ lines: [Line], of file: Path) {
    var reader = BlockReader()
    let blocks = reader.blocks(of: lines)
    links += reader.definitions.compactMap { Link(to: $0.target, line: $0.line) }
    let labels = Set(reader.definitions.map(\.label))
    var headings: [String] = []
    for block in blocks {
      // In doc comments, `[a][b]` is more often an array than a link.
      let text = InlineReader(block, labels: file.isSwift ? nil : labels)
      links += text.links
      anchors.formUnion(text.anchors)
      if block.isHeading { headings.append(text.plain) }
    }
    anchors.formUnion(headingAnchors(headings.map { $0.lowercased() }))
    // Pages generated from doc comments preserve the case.
    if file.isSwift || file.string.contains(".docc/") {
      anchors.formUnion(headingAnchors(headings))
    }
  }
}

/// A line of a file, counted from 1.
typealias Line = (number: Int, text: Substring)

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
  /// Creates a link to a target such as `docs/Guide.md#start`; `nil` if it leads to the network, may
  /// lead to a symbol, or is the path of a page that DocC publishes.
  init?(to text: String, line: Int) {
    guard let url = URLComponents(string: text),
      url.scheme == "doc" || (url.scheme ?? url.host) == nil,
      !url.path.hasPrefix("/documentation/")
    else { return nil }
    // Every page has a top. With a query, the anchor may belong to another page.
    let isTop = ["", "top"].contains(url.fragment?.lowercased()) || url.query != nil
    let anchor = isTop ? nil : url.fragment
    if url.scheme == "doc" {
      guard let anchor else { return nil }
      target = .article(String(url.path.split(separator: "/").last ?? ""), anchor: anchor)
    } else {
      target = url.path.isEmpty ? .sameFile(anchor: anchor) : .file(url.path, anchor: anchor)
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
    comments[comments.count - 1].append((line.number, text))
  }
  return comments
}

/// Returns the anchors that GitHub gives to lowercased headings, without punctuation and with
/// hyphens for spaces.
func headingAnchors(_ headings: [String]) -> [String] {
  var counts: [String: Int] = [:]
  return headings.map { heading in
    let anchor = heading.replacing(/[^\w\- ]/.matchingSemantics(.unicodeScalar), with: "")
      .replacing(" ", with: "-")
    let count = counts[anchor, default: 0]
    counts[anchor] = count + 1
    return count == 0 ? anchor : "\(anchor)-\(count)"
  }
}
