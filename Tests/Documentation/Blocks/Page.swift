import Foundation

/// A page of documentation, or a module's comments, whose blocks of Swift become a file of code.
struct Page {
  struct Block {
    let file: URL
    let line: Int
    let lines: [String]
  }

  let name: String
  /// Whether the blocks stand in comments, each on its own.
  let isComments: Bool
  /// The imports of the blocks, and of the modules that a sentence names: “Import `A` and `B`”.
  let imports: [String]
  /// The blocks that have no place yet.
  private(set) var blocks: [Block]

  init(_ url: URL) throws {
    name = url.deletingPathExtension().lastPathComponent
    isComments = false
    let text = try String(contentsOf: url, encoding: .utf8)
    blocks = Self.blocks(text.components(separatedBy: "\n"), of: url)
    let sentences = text.matches(of: /[Ii]mport (`\w+`(?:(?:, | and )`\w+`)*)/)
    let named = sentences.flatMap { $0.1.matches(of: /\w+`/).map { "import \($0.0.dropLast())" } }
    imports = Set(blocks.flatMap(\.imports) + named).sorted()
  }

  /// Takes the blocks out of the `///` comments of a module.
  init(commentsOf module: String, _ files: [URL]) throws {
    name = "\(module)Comments"
    isComments = true
    blocks = try files.flatMap { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let lines = text.components(separatedBy: "\n").map { line in
        let comment = line.drop { $0 == " " }
        return comment.hasPrefix("/// ") ? String(comment.dropFirst(4)) : ""
      }
      return Self.blocks(lines, of: file)
    }
    imports = Set(blocks.flatMap(\.imports) + ["import \(module)"]).sorted()
  }

  private static func blocks(_ lines: [String], of file: URL) -> [Block] {
    var blocks: [Block] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let first = start {
        if lines[first] == "```swift" {
          blocks.append(
            Block(file: file, line: first + 2, lines: Array(lines[(first + 1)..<index])))
        }
        start = nil
      } else {
        start = index
      }
    }
    return blocks
  }

  /// Takes the first block left with a line that begins with these words.
  mutating func takeBlock(with words: String) -> Block? {
    blocks.firstIndex { $0.hasLine(beginningWith: words) }.map { blocks.remove(at: $0) }
  }

  mutating func remove(_ others: [Block]) {
    blocks.removeAll { block in others.contains { $0.lines == block.lines } }
  }

  /// Returns a block's code so that the compiler and the tests name its lines on the page.
  ///
  /// - Parameter start: Stands in front of the code.
  func code(of block: Block, after start: Substring = "") -> [String] {
    ["#sourceLocation(file: \"\(block.file.path)\", line: \(block.line))"]
      + ([start + block.lines[0]] + block.lines.dropFirst()).map { line in
        if line.isImport || line.importsProgram { return "" }  // at the top of the file instead
        if isComments { return line.withoutOmissions }
        let indentation = line.prefix { $0 == " " }
        let code = line.dropFirst(indentation.count)
        return code.hasPrefix("assert(") ? "\(indentation)#expect\(code.dropFirst(6))" : line
      }
      + ["#sourceLocation()"]
  }
}

extension Page.Block {
  func hasLine(beginningWith words: String) -> Bool {
    lines.contains { $0.drop { $0 == " " }.hasPrefix(words) }
  }

  var imports: [String] { lines.filter(\.isImport) }

  /// The constants and variables that the block declares at its outermost level.
  var names: [Substring] {
    lines.compactMap { $0.prefixMatch(of: /(?:@\S+ )?(?:let|var) (\w+)\b/)?.1 }
  }

  /// Whether the block can stand outside of a function.
  var isDeclarations: Bool {
    lines.allSatisfy { line in
      let word = line.prefix { $0.isLetter }
      return word.isEmpty || Self.declaring.contains(word)
    }
  }

  /// The words that begin a declaration.
  private static let declaring: Set<Substring> = [
    "actor", "class", "distributed", "enum", "extension", "final", "fileprivate", "func", "import",
    "indirect", "let", "nonisolated", "private", "protocol", "public", "struct", "typealias", "var",
  ]
}

extension String {
  /// The line of a comment, with code in place of `…`.
  fileprivate var withoutOmissions: String {
    replacing(/((?:actor|class|enum|struct) .*\{) …/) { $0.1 }
      .replacing("…", with: "fatalError()")
  }
  fileprivate var isImport: Bool { hasPrefix("import ") || hasPrefix("public import ") }
  /// A page's program is in the same module as its tests here.
  fileprivate var importsProgram: Bool { hasPrefix("@testable import ") }
}
