/// The anchors that GitHub gives to the headings of a document, once they are in lower case.
func headingAnchors(_ headings: [String]) -> [String] {
  var counts: [String: Int] = [:]
  return headings.map { heading in
    let anchor = headingAnchor(heading)
    let count = counts[anchor, default: 0]
    counts[anchor] = count + 1
    return count == 0 ? anchor : "\(anchor)-\(count)"
  }
}

/// The heading without punctuation and symbols, and with a hyphen for each space.
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
