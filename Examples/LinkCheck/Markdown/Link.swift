import Foundation

/// A link in a document.
struct Link: Equatable {
  enum Target: Equatable {
    case sameFile(anchor: String?)
    case file(String, anchor: String?)
    /// The last path component of a `doc:` link.
    case article(String, anchor: String?)
    case undefinedReference(String)
  }

  let line: Int
  let text: String
  let target: Target
}

extension Link {
  /// Creates a link to a target such as `docs/Guide.md#start`; `nil` if it leads to the network, or
  /// may lead to a symbol.
  init?(to target: String, line: Int) {
    let isArticle = target.hasPrefix("doc:")
    guard !target.hasPrefix("//"), isArticle || !target.hasScheme else { return nil }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let location = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(location[0]).percentDecoded
    var anchor = parts.count > 1 ? String(parts[1]).percentDecoded : nil
    // Every page has a top. With a query, the anchor may belong to another page.
    if anchor == "" || anchor?.lowercased() == "top" || location.count > 1 { anchor = nil }

    self.line = line
    self.text = target
    if isArticle {
      guard anchor != nil else { return nil }  // which may be a symbol
      let name = path.dropFirst("doc:".count).split(separator: "/").last.map(String.init) ?? ""
      self.target = .article(name, anchor: anchor)
      return
    }
    self.target = path.isEmpty ? .sameFile(anchor: anchor) : .file(path, anchor: anchor)
  }
}

extension String {
  fileprivate var percentDecoded: String { removingPercentEncoding ?? self }

  /// Whether this starts with a scheme, such as `https:` or `doc:`.
  fileprivate var hasScheme: Bool {
    guard let colon = unicodeScalars.firstIndex(of: ":") else { return false }
    let scheme = unicodeScalars[..<colon]
    return scheme.first?.isASCIILetter == true && scheme.allSatisfy(\.isSchemeCharacter)
  }
}
