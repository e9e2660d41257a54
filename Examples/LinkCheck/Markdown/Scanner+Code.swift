/// An HTML tag that opens an element.
struct Tag {
  let name: String
  var attributes: [(name: String, value: String)] = []
}

extension Scanner {
  /// Returns the text between this backtick and the same number of backticks, or only the
  /// backticks.
  mutating func codeSpan() -> ArraySlice<Unicode.Scalar> {
    position -= 1
    let opening = read { $0 == "`" }
    let code = attempt { scanner -> ArraySlice<Unicode.Scalar>? in
      let start = scanner.position
      while scanner.peek != nil {
        _ = scanner.read { $0 != "`" }
        let end = scanner.position
        if scanner.read(while: { $0 == "`" }).count == opening.count {
          return scanner.text[start..<end]
        }
      }
      return nil
    }
    return code ?? opening
  }

  /// Returns the text of an entity after `&`, as far as links and headings need it.
  mutating func entity() -> [Unicode.Scalar]? {
    attempt { scanner in
      let name = scanner.read { $0 == "#" || $0.isSchemeCharacter }
      guard scanner.skip(";") else { return nil }
      switch name.string {
      case "amp": return ["&"]
      case "lt": return ["<"]
      case "gt": return [">"]
      case "quot": return ["\""]
      case "apos", "#39": return ["'"]
      case "nbsp": return ["\u{A0}"]
      default: return nil
      }
    }
  }

  /// Returns the tag that begins with this `<`.
  ///
  /// It has no attributes if it closes an element, is a comment, or links to the network.
  /// `<doc:Guide>` is a link to that target.
  mutating func tag() -> Tag? {
    attempt { scanner in
      if scanner.skip("!") || scanner.skip("?") { return scanner.comment() }
      let isClosing = scanner.skip("/")
      let name = scanner.read(while: \.isSchemeCharacter)
      guard name.first?.isASCIILetter == true else { return nil }
      if scanner.peek == ":" || scanner.peek == "@" {
        let rest = scanner.read { $0 != ">" && !$0.properties.isWhitespace }
        guard scanner.skip(">") else { return nil }
        let target = (name + rest).string
        return target.hasPrefix("doc:")
          ? Tag(name: "a", attributes: [("href", target)]) : Tag(name: "")
      }
      var tag = Tag(name: name.string.lowercased())
      while let attribute = scanner.attribute() { tag.attributes.append(attribute) }
      scanner.skipSpace()
      _ = scanner.skip("/")
      guard scanner.skip(">") else { return nil }
      return isClosing ? Tag(name: "") : tag
    }
  }

  private mutating func comment() -> Tag? {
    let isComment = skip("-") && skip("-")
    while let scalar = next() {
      let isEnd = !isComment || string(max(0, position - 3)..<position) == "-->"
      if scalar == ">", isEnd { return Tag(name: "") }
    }
    return nil
  }

  private mutating func attribute() -> (name: String, value: String)? {
    attempt { scanner in
      guard scanner.peek?.properties.isWhitespace == true else { return nil }
      scanner.skipSpace()
      let name = scanner.read {
        !$0.properties.isWhitespace && !"\"'<>/=".unicodeScalars.contains($0)
      }
      guard !name.isEmpty else { return nil }
      let value = scanner.attempt { scanner -> String? in
        scanner.skipSpace()
        guard scanner.skip("=") else { return nil }
        scanner.skipSpace()
        return scanner.attributeValue()
      }
      return (name.string.lowercased(), value ?? "")
    }
  }

  private mutating func attributeValue() -> String? {
    for quote: Unicode.Scalar in ["\"", "'"] where skip(quote) {
      let value = read { $0 != quote }
      return skip(quote) ? value.unescaped : nil
    }
    let value = read { !$0.properties.isWhitespace && !"\"'<>=`".unicodeScalars.contains($0) }
    return value.isEmpty ? nil : value.unescaped
  }
}
