import Foundation
import Testing

@Suite("README and guides")
struct ReadmeTests {
  private static let guides = "../../Sources/ComposableDependencies/ComposableDependencies.docc"

  @Test(
    "every Swift block of a page is in a file that this test target compiles",
    arguments: [
      ("../../README.md", "Snippets.swift"),
      ("\(guides)/Lifetimes.md", "LifetimesSnippets.swift"),
    ])
  func blocksAreCompiled(page: String, snippets: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
    let code = try String(contentsOf: folder.appending(path: snippets), encoding: .utf8)
    let compiled = "\n" + Self.lines(of: code).joined(separator: "\n") + "\n"
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    #expect(blocks.count > 10)
    for block in blocks {
      let text = "\n" + Self.lines(of: block).joined(separator: "\n") + "\n"
      #expect(compiled.contains(text), "not in \(snippets):\n\(block)")
    }
  }

  /// Without indentation, and without what a test adds to look at a value.
  private static func lines(of text: String) -> [String] {
    text.components(separatedBy: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.hasPrefix("#expect") && !$0.isEmpty }
  }
}
