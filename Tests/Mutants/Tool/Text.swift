/// The text of a statement, with what lies in string literals and in brackets.
struct Text {
  let characters: [Character]
  /// For each character, how many brackets are open after it; `nil` inside a string literal.
  private(set) var depths: [Int?] = []

  init(_ string: some StringProtocol) {
    characters = Array(string)
    var depth = 0
    // In a literal: the depth at which its interpolation ends, if one is open.
    var literals: [Int?] = []
    var index = 0
    while index < characters.count {
      let character = characters[index]
      var isInLiteral = literals.last == .some(nil)
      if isInLiteral {
        if character == "\\", index + 1 < characters.count {
          depths.append(nil)
          index += 1
          if characters[index] == "(" {
            literals[literals.count - 1] = depth
            depth += 1
          }
        } else if character == "\"" {
          literals.removeLast()
        }
      } else if character == "\"" {
        literals.append(nil)
        isInLiteral = true
      } else if "([{".contains(character) {
        depth += 1
      } else if ")]}".contains(character) {
        depth -= 1
        if let end = literals.last, end == depth {
          literals[literals.count - 1] = nil
          isInLiteral = true
        }
      }
      depths.append(isInLiteral ? nil : depth)
      index += 1
    }
  }

  /// How many more brackets it opens than it closes, and how many it closes that it did not open.
  var balance: (end: Int, lowest: Int) {
    let open = depths.compactMap { $0 }
    return (open.last ?? 0, min(0, open.min() ?? 0))
  }

  /// Where the string stands outside of string literals, at the given depth or at any.
  func positions(of string: String, depth: Int? = nil) -> [Int] {
    let wanted = Array(string)
    guard wanted.count <= characters.count else { return [] }
    return (0...(characters.count - wanted.count)).filter { start in
      guard characters[start] == wanted[0], depths[start] != nil else { return false }
      if let depth, depths[start] != depth { return false }
      return characters[start..<(start + wanted.count)].elementsEqual(wanted)
    }
  }

  /// What is left without a comment at the end of the line.
  var withoutComment: String {
    let end = positions(of: "//").first ?? characters.count
    return String(characters[..<end]).trimmed
  }

  func replacing(_ count: Int, at position: Int, by replacement: String) -> String {
    String(characters[..<position]) + replacement + String(characters[(position + count)...])
  }

  func split(at positions: [Int], droppingLast count: Int) -> [String] {
    var parts: [String] = []
    var start = 0
    for position in positions {
      parts.append(String(characters[start..<position]).trimmed)
      start = position + count
    }
    return parts + [String(characters[start...]).trimmed]
  }

  /// Before and after the first occurrence outside of literals and brackets.
  func cut(at string: String) -> (before: String, after: String)? {
    guard let position = positions(of: string, depth: 0).first else { return nil }
    return (
      String(characters[..<position]).trimmed,
      String(characters[(position + string.count)...]).trimmed
    )
  }

}

extension StringProtocol {
  var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  func hasAnyPrefix(_ prefixes: [String]) -> Bool { prefixes.contains { hasPrefix($0) } }

  /// Whether it begins with one of the words.
  func begins(with words: [String]) -> Bool {
    words.contains { word in
      guard hasPrefix(word) else { return false }
      guard let next = dropFirst(word.count).first else { return true }
      return !(next.isLetter || next.isNumber || next == "_")
    }
  }
}
