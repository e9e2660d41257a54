import Testing

@testable import linkcheck

private func links(_ text: String) -> [String] {
  Document(text, of: "/A.swift").links.map { "\($0.line) \($0.text)" }
}

@Suite("Links of doc comments")
struct DocCommentTests {
  @Test("doc comments are read, other comments are not")
  func comments() {
    #expect(
      links("/// [a](b)\n//  [c](d)\n//// [e](f)\n/* [g](h) */\n  /// [i](j)") == ["1 b", "5 j"])
  }

  @Test("the lines of a doc comment make one text")
  func paragraphs() {
    #expect(links("/// `code\n/// [a](b)`\n/// [c](d)\n\n/// [e](f)") == ["3 d", "5 f"])
    #expect(links("/// ```\n/// [a](b)\n/// ```\n///     [c](d)") == [])
  }

  @Test("string literals aren't comments")
  func strings() {
    #expect(
      links("let a = \"\"\"\n  /// [a](b)\n  \"\"\"\n/// [c](d)\nlet b = \"/// [e](f)\"") == ["4 d"]
    )
  }

  @Test("symbols, articles and arrays aren't links")
  func symbols() {
    #expect(links("/// ``Path`` <doc:Guide> [Int][0] [a](doc:Guide) [b](c)") == ["1 c"])
  }
}
