import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  @Test("every Swift block of the README is in a file that this test target compiles")
  func blocksAreCompiled() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(
      contentsOf: folder.appending(path: "../../README.md"), encoding: .utf8)
    let snippets = try String(contentsOf: folder.appending(path: "Snippets.swift"), encoding: .utf8)
    let compiled = "\n" + Self.lines(of: snippets).joined(separator: "\n") + "\n"
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    #expect(blocks.count > 10)
    for block in blocks {
      let text = "\n" + Self.lines(of: block).joined(separator: "\n") + "\n"
      #expect(compiled.contains(text), "not in Snippets.swift:\n\(block)")
    }
  }

  /// Without indentation, and without what a test adds to look at a value.
  private static func lines(of text: String) -> [String] {
    text.components(separatedBy: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.hasPrefix("#expect") && !$0.isEmpty }
  }
}
