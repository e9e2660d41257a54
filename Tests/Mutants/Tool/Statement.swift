/// A statement or declaration of a file, as `swift format` breaks its lines.
struct Statement {
  enum Surroundings: Equatable {
    case type
    /// A function's or accessor's body, with the result's type.
    case function(result: String?, isInitializer: Bool)
    /// A closure's body, of which the result is not known.
    case closure
  }

  /// The lines of its text: all of them, or those up to the brace that opens its block.
  var lines: ClosedRange<Int>
  /// The last line of its block.
  var end: Int
  /// Its lines joined, without comments.
  let text: String
  let surroundings: Surroundings
  let hasBlock: Bool
  /// Whether it holds a literal of several lines, which joining has left out.
  let hasLongLiteral: Bool
  /// The statement whose block it is in, and the block: a statement may have several.
  let outer: Int?
  let block: Int
  /// Whether it is all there is of a closure, in a statement that may use the closure's result.
  var isResult = false
}

/// Finds the statements of a formatted file.
struct StatementParser {
  private struct Block {
    let depth: Int
    let surroundings: Statement.Surroundings
    let statement: Int?
    let number: Int
  }

  private let lines: [String]
  private var index = 0
  private var depth = 0
  private var open: [Block] = []
  private var blockCount = 0
  private var statements: [Statement] = []

  init(_ lines: [String]) {
    self.lines = lines
  }

  static func statements(of lines: [String]) -> [Statement] {
    var parser = StatementParser(lines)
    while parser.index < lines.count { parser.parseStatement() }
    parser.findResults()
    return parser.statements
  }

  private mutating func findResults() {
    for indices in Dictionary(grouping: statements.indices, by: { statements[$0].block }).values {
      let present = indices.filter {
        !statements[$0].text.isEmpty && !statements[$0].text.hasPrefix("}")
      }
      guard let only = present.first, present.count == 1, let outer = statements[only].outer,
        statements[only].surroundings == .closure,
        Text(statements[only].text).cut(at: " = ") == nil,
        !statements[only].text.contains(" += ")
      else { continue }
      let text = statements[outer].text
      if text.begins(with: ["if", "guard", "while", "for", "switch", "}"]) { continue }
      statements[only].isResult =
        text.begins(with: ["let", "var", "return"]) || Text(text).cut(at: " = ") != nil
    }
  }

  private mutating func parseStatement() {
    let start = index
    guard var text = nextLine() else { return }
    var hasLongLiteral = false
    skipLiteral(&text, &hasLongLiteral)
    while !isComplete(text), let next = nextLine() {
      text += " " + next
      skipLiteral(&text, &hasLongLiteral)
    }
    let (balance, lowest) = Text(text).balance
    // The statement that goes on with another closure, as in `} operation: {`.
    var continued: Int?
    while let last = open.last, last.depth > depth + lowest {
      if let statement = last.statement { statements[statement].end = index - 1 }
      continued = last.statement
      open.removeLast()
    }
    let surroundings = open.last?.surroundings ?? .type
    statements.append(
      Statement(
        lines: start...(index - 1), end: index - 1, text: text, surroundings: surroundings,
        hasBlock: balance > 0, hasLongLiteral: hasLongLiteral, outer: open.last?.statement,
        block: open.last?.number ?? 0))
    depth += balance
    if lowest < 0, balance == 0, Self.opensBlock(text) {
      openBlock(of: continued, text, surroundings)
    } else if balance > 0 {
      openBlock(of: statements.count - 1, text, surroundings)
    }
  }

  private mutating func openBlock(
    of statement: Int?, _ text: String, _ outer: Statement.Surroundings
  ) {
    blockCount += 1
    open.append(
      Block(
        depth: depth, surroundings: Self.surroundings(in: text, of: outer), statement: statement,
        number: blockCount))
  }

  /// The next line, or an empty string if there is no code on it.
  private mutating func nextLine() -> String? {
    guard index < lines.count else { return nil }
    let line = lines[index].trimmed
    index += 1
    return line.hasPrefix("//") || line.hasPrefix("#") && !line.hasPrefix("#expect")
      ? "" : Text(line).withoutComment
  }

  private mutating func skipLiteral(_ text: inout String, _ found: inout Bool) {
    let mark = "\"\"\""
    guard text.hasSuffix(mark) else { return }
    found = true
    text.removeLast(mark.count)
    text += "\"\""
    while index < lines.count {
      let line = lines[index].trimmed
      index += 1
      guard line.hasPrefix(mark) else { continue }
      text += line.dropFirst(mark.count)
      return
    }
  }

  private func isComplete(_ text: String) -> Bool {
    if text.isEmpty { return true }
    if Self.opensBlock(text) { return true }
    if text.hasPrefix("@") && !text.contains(" ") && !text.contains("(") { return true }
    let parsed = Text(text)
    if parsed.balance.end > 0 { return false }
    if text.begins(with: ["guard"]), parsed.cut(at: " else {") == nil { return false }
    if text.begins(with: ["if", "while", "for", "switch"]), parsed.cut(at: " {") == nil {
      return false
    }
    if text.hasSuffix(",") || text.hasSuffix(" =") || text.hasSuffix("->") { return false }
    return !Self.continues(followingLine())
  }

  private func followingLine() -> String {
    guard index < lines.count else { return "" }
    return lines[index].trimmed
  }

  private static func continues(_ line: String) -> Bool {
    line.hasAnyPrefix([
      "? ", ": ", "&& ", "|| ", "?? ", "+ ", "- ", "== ", "!= ", "-> ", "= ", "as ", "as? ", "as! ",
      "{ ",
    ])
      || line == "{" || line.hasPrefix(".") && !line.hasPrefix("...")
      || line.begins(with: ["throws", "async", "where"])
  }

  /// Whether the line ends with the brace of a block, or with the head of a closure.
  private static func opensBlock(_ text: String) -> Bool {
    if text.hasSuffix("{") { return true }
    guard text.hasSuffix(" in") else { return false }
    let brace = text.lastIndex(of: "{")
    return brace.map { !text[$0...].contains("}") } ?? false
  }

  private static func surroundings(
    in text: String, of outer: Statement.Surroundings
  ) -> Statement.Surroundings {
    let declaration = text.declaration
    if declaration.begins(with: ["struct", "class", "enum", "extension", "protocol", "actor"]) {
      return .type
    }
    if declaration.begins(with: ["init", "deinit"]) || declaration.hasPrefix("init?") {
      return .function(result: nil, isInitializer: true)
    }
    if declaration.begins(with: ["func", "subscript", "var"]) {
      return .function(result: declaration.resultType, isInitializer: false)
    }
    if declaration.begins(with: ["set", "willSet", "didSet"]) {
      return .function(result: nil, isInitializer: false)
    }
    let control = [
      "get", "_read", "if", "guard", "for", "while", "repeat", "do", "switch", "} else", "} catch",
      "defer",
    ]
    if declaration.begins(with: control) { return outer }
    return .closure
  }
}

extension String {
  /// Without attributes and modifiers.
  var declaration: String {
    let modifiers = [
      "public", "package", "internal", "fileprivate", "private", "final", "static", "class func",
      "override", "mutating", "nonmutating", "consuming", "borrowing", "convenience", "required",
      "nonisolated", "isolated", "indirect", "lazy", "weak", "unowned", "unsafe", "prefix", "infix",
      "postfix",
    ]
    var rest = self
    while true {
      if rest.hasPrefix("@") {
        let text = Text(rest)
        guard let space = text.positions(of: " ", depth: 0).first else { return rest }
        rest = String(text.characters[(space + 1)...]).trimmed
      } else if let modifier = modifiers.first(where: { rest.begins(with: [$0]) }) {
        rest = String(rest.dropFirst(modifier.count)).trimmed
        if rest.hasPrefix("("), let end = rest.firstIndex(of: ")") {
          rest = String(rest[rest.index(after: end)...]).trimmed
        }
      } else {
        return rest
      }
    }
  }

  /// The type after `->`, or after the `:` of a property.
  var resultType: String? {
    guard let (head, _) = Text(self).cut(at: " {") else { return nil }
    let text = Text(head)
    let mark = begins(with: ["var", "let"]) ? ": " : " -> "
    guard let position = text.positions(of: mark, depth: 0).last else { return nil }
    let type = String(text.characters[(position + mark.count)...])
    return (Text(type).cut(at: " where ")?.before ?? type).trimmed
  }
}
