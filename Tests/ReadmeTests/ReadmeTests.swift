import Foundation
import Testing

@Suite("README and guides")
struct ReadmeTests {
  @Test("every Swift block of a page is in a file that this test target compiles", arguments: pages)
  func blocksAreCompiled(page: Page) throws {
    let compiled = try Self.snippets.map { "\n" + Self.code(try $0.text) + "\n" }
    for block in try page.blocks where block.language == "swift" {
      #expect(
        compiled.contains { $0.contains("\n" + Self.code(block.text) + "\n") },
        "in no file of snippets:\n\(block.text)")
    }
  }

  @Test("a block that is not Swift says what it is", arguments: pages)
  func languages(page: Page) throws {
    for block in try page.blocks {
      #expect(["swift", "sh", "text"].contains(block.language), "\(block.text)")
    }
  }

  @Test("every file of snippets belongs to a page", arguments: snippets)
  func snippetsHavePage(snippets: Page) throws {
    let name = snippets.name.replacing("Snippets", with: "")
    #expect(Self.pages.contains { $0.name.lowercased() == name.lowercased() })
  }

  @Test("there are pages and blocks to look at")
  func blocks() throws {
    #expect(Self.pages.count > 4 && Self.snippets.count > 4)
    #expect(try Self.pages.contains { try $0.blocks.count > 10 })
  }
}

extension ReadmeTests {
  /// A file of text, and the blocks of code in it, if it is Markdown.
  struct Page: Sendable, CustomTestStringConvertible {
    struct Block {
      var language: String
      var text: String
    }

    let url: URL
    var name: String { url.deletingPathExtension().lastPathComponent }
    var testDescription: String { url.lastPathComponent }
    var text: String { get throws { try String(contentsOf: url, encoding: .utf8) } }

    var blocks: [Block] {
      get throws {
        try ("\n" + text).components(separatedBy: "\n```").enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }
          .map { _, block in
            let lines = block.components(separatedBy: "\n")
            return Block(language: lines[0], text: lines.dropFirst().joined(separator: "\n"))
          }
      }
    }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.appending(path: "../..").standardizedFileURL

  static let pages =
    [Page(url: root.appending(path: "README.md"))]
    + files(below: root.appending(path: "Sources"), withSuffix: ".md")
  static let snippets = files(below: folder, withSuffix: "Snippets.swift")

  private static func files(below folder: URL, withSuffix suffix: String) -> [Page] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.path.hasSuffix(suffix) }
      .sorted { $0.path < $1.path }
      .map { Page(url: $0) }
  }

  /// Without indentation and imports, and without what a test adds to look at a value.
  private static func code(_ text: String) -> String {
    text.components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { line in !line.isEmpty && !["#expect", "import "].contains { line.hasPrefix($0) } }
      .joined(separator: "\n")
  }
}
