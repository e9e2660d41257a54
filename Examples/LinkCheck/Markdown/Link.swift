import Foundation

/// A link as it stands in a document.
struct Link: Equatable {
  enum Target: Equatable {
    case sameFile(anchor: String?)
    case file(String, anchor: String?)
    case undefinedReference(String)
  }

  let line: Int
  let text: String
  let target: Target
}

extension Link {
  /// A link with a target as in `docs/Guide.md#start`; nothing, where that leads to the network.
  init?(to target: String, line: Int) {
    guard !target.hasPrefix("//"), !target.hasScheme else { return nil }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let location = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(location[0]).percentDecoded
    var anchor = parts.count > 1 ? String(parts[1]).percentDecoded : nil
    // Every page has a top; and with a query, it is some other page that has the anchor.
    if anchor == "" || anchor?.lowercased() == "top" || location.count > 1 { anchor = nil }

    self.line = line
    self.text = target
    self.target = path.isEmpty ? .sameFile(anchor: anchor) : .file(path, anchor: anchor)
  }
}

extension String {
  fileprivate var percentDecoded: String { removingPercentEncoding ?? self }

  /// Whether this starts as in `https:` or `doc:`.
  fileprivate var hasScheme: Bool {
    guard let colon = unicodeScalars.firstIndex(of: ":") else { return false }
    let scheme = unicodeScalars[..<colon]
    return scheme.first?.isASCIILetter == true && scheme.allSatisfy(\.isSchemeCharacter)
  }
}
