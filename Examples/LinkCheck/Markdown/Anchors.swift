/// Returns the anchors that GitHub gives to the lowercased headings of a document.
func headingAnchors(_ headings: [String]) -> [String] {
  var counts: [String: Int] = [:]
  return headings.map { heading in
    let anchor = headingAnchor(heading)
    let count = counts[anchor, default: 0]
    counts[anchor] = count + 1
    return count == 0 ? anchor : "\(anchor)-\(count)"
  }
}

/// Returns a heading without punctuation and symbols, and with hyphens for spaces.
private func headingAnchor(_ heading: String) -> String {
  var anchor = String.UnicodeScalarView()
  for scalar in heading.unicodeScalars {
    if scalar == " " {
      anchor.append("-")
    } else if scalar == "-" || scalar.isWordCharacter {
      anchor.append(scalar)
    }
  }
  return String(anchor)
}

extension Unicode.Scalar {
  /// A letter, a mark, a digit or an underscore, in any script.
  var isWordCharacter: Bool {
    switch properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: true
    default: properties.isAlphabetic
    }
  }
}
