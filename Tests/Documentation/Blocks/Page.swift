import Foundation

/// A page of documentation, whose blocks of Swift become a file of tests.
struct Page {
  struct Block: Equatable {
    let line: Int
    let lines: [String]
  }

  let url: URL
  let name: String
  /// The imports of the blocks, and of the modules that a sentence names: “Import `A` and `B`”.
  let imports: [String]
  /// The blocks that have no place yet.
  private(set) var blocks: [Block] = []

  init(_ url: URL) throws {
    self.url = url
    name = url.deletingPathExtension().lastPathComponent
    var start: Int?
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let first = start {
        if lines[first] == "```swift" {
          blocks.append(Block(line: first + 2, lines: Array(lines[(first + 1)..<index])))
        }
        start = nil
      } else {
        start = index
      }
    }
    let sentences = text.matches(of: /[Ii]mport (`\w+`(?:(?:, | and )`\w+`)*)/)
    let named = sentences.flatMap { $0.1.matches(of: /\w+`/).map { "import \($0.0.dropLast())" } }
    imports = Set(blocks.flatMap(\.imports) + named).sorted()
  }

  /// Takes the first block left with a line that begins with these words.
  mutating func takeBlock(with words: String) -> Block? {
    blocks.firstIndex { $0.hasLine(beginningWith: words) }.map { blocks.remove(at: $0) }
  }

  mutating func remove(_ others: [Block]) {
    blocks.removeAll { block in others.contains { $0.lines == block.lines } }
  }

  /// Returns a block's code so that the compiler and the tests name its lines on the page.
  func code(of block: Block) -> [String] {
    ["#sourceLocation(file: \"\(url.path)\", line: \(block.line))"]
      + block.lines.map { line in
        if line.isImport || line.importsProgram { return "" }  // at the top of the file instead
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
  fileprivate var isImport: Bool { hasPrefix("import ") || hasPrefix("public import ") }
  /// A page's program is in the same module as its tests here.
  fileprivate var importsProgram: Bool { hasPrefix("@testable import ") }
}
