import Foundation
import Testing

@Suite("README and guides")
struct ReadmeTests {
  @Test("a block that is not Swift says what it is", arguments: pages)
  func languages(page: Page) throws {
    for block in try page.blocks {
      #expect(["swift", "sh", "text"].contains(block.language), "\(block.text)")
    }
  }

  @Test("a guide's links work on a repository page and in DocC", arguments: guides)
  func links(guide: Page) throws {
    let parts = try guide.text.components(separatedBy: "\n@Comment -->\n")
    let text = Page.withoutCode(parts.last ?? "").components(separatedBy: "\n## Topics\n")[0]
    // Not `<doc:…>` or `[…](doc:…)`, which lead nowhere on a repository page.
    #expect(!text.contains("<doc:") && !text.contains("](doc:"))
    // DocC resolves `doc:` to a page of the same module. The path of another module's page works
    // wherever all are published together, and needs no archive of the other module.
    let own = guide.url.deletingLastPathComponent().deletingPathExtension().lastPathComponent
    let forDocC = text.matches(of: /\n\[(.+)\]: (?:doc:|\/documentation\/(\w+)\/)(\w+)/).map {
      [String($0.1), String($0.2 ?? own[...]).lowercased(), $0.3.lowercased()]
    }
    let forRepository = parts[0].matches(
      of: /\n\[(.+)\]: (?:\.\.\/\.\.\/\w+\/(\w+)\.docc\/)?(\w+)\.md/
    ).map { [String($0.1), String($0.2 ?? own[...]).lowercased(), $0.3.lowercased()] }
    // A module's page is written for DocC only.
    let names = Set(Self.guides.map { $0.name.lowercased() })
    #expect(names.isSuperset(of: forRepository.map { $0[2] }))
    #expect(forDocC == (parts.count > 1 ? forRepository : []))
  }

  @Test("README leads to every page in two clicks")
  func clicks() throws {
    let near = try Self.pages[0].linked
    let reached = try near.reduce(into: near) { try $0.formUnion(Page(url: $1).linked) }
    for page in Self.pages.dropFirst() {
      #expect(reached.contains(page.url.standardizedFileURL), "\(page.url.path)")
    }
  }

  @Test("all pages together have at most 20,000 words; a table's bars are none")
  func words() throws {
    let count = try Self.pages.reduce(0) { count, page in
      try count
        + page.text.split(whereSeparator: \.isWhitespace)
        .count { $0.contains { $0.isLetter || $0.isNumber } }
    }
    #expect(count > 10_000 && count <= 20_000, "\(count) words")
  }

  @Test("there are pages and blocks to look at")
  func blocks() throws {
    #expect(Self.pages.count > 4 && Self.guides.count > 4)
    #expect(try Self.pages.contains { try $0.blocks.count > 5 })
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

    /// Whether this is an article of a documentation catalog, and not about a symbol or a module.
    var isGuide: Bool {
      url.path.contains(".docc/") && (try? text.hasPrefix("# ``")) == false
    }

    /// The pages that this one links to.
    var linked: Set<URL> {
      get throws {
        let folder = url.deletingLastPathComponent()
        let links = try text.matches(of: /(?:\]\(|\n\[.+\]: )([^)\s]+\.md)/)
        return Set(links.map { folder.appending(path: $0.1).standardizedFileURL })
      }
    }

    static func withoutCode(_ text: String) -> String {
      text.components(separatedBy: "\n```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        .map(\.element).joined(separator: "\n")
    }

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
  static let root = folder.appending(path: "../../..").standardizedFileURL

  static let pages =
    [Page(url: root.appending(path: "README.md"))]
    + files(below: root.appending(path: "Sources"), withSuffix: ".md")
  static let guides = pages.filter(\.isGuide)
  static let sources = files(below: root.appending(path: "Sources"), withSuffix: ".swift")
  static let tests = files(below: root.appending(path: "Tests"), withSuffix: "Tests.swift")

  private static func files(below folder: URL, withSuffix suffix: String) -> [Page] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.path.hasSuffix(suffix) }
      .sorted { $0.path < $1.path }
      .map { Page(url: $0) }
  }
}
