extension Scanner {
  /// The target in `(target "title")`.
  mutating func inlineTarget() -> String? {
    attempt { scanner in
      guard scanner.skip("(") else { return nil }
      scanner.skipSpace()
      if scanner.skip(")") { return "" }
      guard let target = scanner.target() else { return nil }
      let end = scanner.position
      scanner.skipSpace()
      if scanner.position > end, scanner.title() { scanner.skipSpace() }
      return scanner.skip(")") ? target : nil
    }
  }

  /// The label in `[label]`, which may be empty.
  mutating func label() -> String? {
    attempt { scanner in
      guard scanner.skip("["), scanner.peek != "^" else { return nil }
      let start = scanner.position
      while let scalar = scanner.next() {
        switch scalar {
        case "\\": _ = scanner.next()
        case "[": return nil
        case "]": return scanner.string(start..<(scanner.position - 1))
        default: break
        }
      }
      return nil
    }
  }

  /// Returns the label in `[label]`, unless it is the text of a link `[label](target)`.
  mutating func referenceLabel() -> String? {
    attempt { scanner in
      guard let label = scanner.label() else { return nil }
      return scanner.peek == "(" ? nil : label
    }
  }

  /// The label in `[label]:`.
  mutating func definitionLabel() -> String? {
    attempt { scanner in
      guard let label = scanner.label(), scanner.skip(":") else { return nil }
      return label.allSatisfy(\.isWhitespace) ? nil : label
    }
  }

  /// The target in `target "title"`, with nothing after it on the line.
  mutating func definitionTarget() -> String? {
    attempt { scanner in
      scanner.skipSpace()
      guard let target = scanner.target() else { return nil }
      let isTitled = scanner.succeeds { scanner in
        scanner.skipSpace()
        return scanner.title() && scanner.skipLineEnd()
      }
      return isTitled || scanner.skipLineEnd() ? target : nil
    }
  }

  /// A target, in angle brackets or without spaces.
  private mutating func target() -> String? {
    if skip("<") {
      let start = position
      while let scalar = next(), scalar != "\n", scalar != "<" {
        if scalar == "\\" { _ = next() }
        if scalar == ">" { return text[start..<(position - 1)].unescaped }
      }
      return nil
    }
    let start = position
    var depth = 0
    // The limit avoids reading a long line of parentheses repeatedly.
    while let scalar = peek, !scalar.properties.isWhitespace, depth < 32 {
      if scalar == ")" && depth == 0 { break }
      position += 1
      switch scalar {
      case "(": depth += 1
      case ")": depth -= 1
      case "\\" where peek?.isPunctuation == true: position += 1
      default: break
      }
    }
    return depth == 0 && position > start ? text[start..<position].unescaped : nil
  }

  /// Reads a title such as `"title"`, `'title'` or `(title)`, and returns whether there was one.
  private mutating func title() -> Bool {
    succeeds { scanner in
      guard let open = scanner.next(), "\"'(".unicodeScalars.contains(open) else { return false }
      let close: Unicode.Scalar = open == "(" ? ")" : open
      while let scalar = scanner.next() {
        if scalar == close { return true }
        if scalar == "\\" { _ = scanner.next() }
      }
      return false
    }
  }

  private mutating func skipLineEnd() -> Bool {
    _ = read { $0 == " " || $0 == "\t" }
    return peek == nil || skip("\n")
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The text without backslashes, and with entities replaced.
  var unescaped: String {
    var scanner = Scanner(string)
    var result: [Unicode.Scalar] = []
    while let scalar = scanner.next() {
      switch scalar {
      case "\\" where scanner.peek?.isPunctuation == true: result += [scanner.next() ?? scalar]
      case "&": result += scanner.entity() ?? ["&"]
      default: result.append(scalar)
      }
    }
    return result.string
  }
}
