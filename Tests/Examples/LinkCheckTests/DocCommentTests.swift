import Testing

@testable import LinkChecking

private func links(_ text: String) -> [String] {
  Document(text, of: "/A.swift").links.map { "\($0.line) \($0.text)" }
}

@Suite("Links of doc comments")
struct DocCommentTests {
  @Test("doc comments are read, other comments are not")
  func comments() {
    #expect(
      links("/// [a](b)\n//  [c](d)\n//// [e](f)\n/* [g](h) */\nlet x = 1 /// [i](j)") == [
        "1 b", "5 j",
      ])
  }

  @Test("the lines of a doc comment make one text")
  func paragraphs() {
    #expect(links("/// `code\n/// [a](b)`\n/// [c](d)\n\n/// [e](f)") == ["3 d", "5 f"])
    #expect(links("/// ```\n/// [a](b)\n/// ```\n///     [c](d)") == [])
  }

  @Test("block comments are read, with and without stars, and may be nested")
  func blocks() {
    #expect(
      links("/**\n * [a](b)\n   /* [c](d) */\n [e](f)\n*/\n/// [g](h)") == [
        "2 b", "3 d", "4 f", "6 h",
      ])
    #expect(links("/**/ /// [a](b)") == ["1 b"])
  }

  @Test("string literals aren't comments")
  func strings() {
    let text = ##"""
      let a = "/// [a](b)", b = "\("\("/* ")")"
      let c = #"""
        /// "" \( [c](d)
        """#
      let d = "\"" + """
        /// \(e("""
          /// [e](f)
          """)) \"""
        /// [g](h)
        """
      /// [i](j)
      """##
    #expect(links(text) == ["11 j"])
  }

  @Test("symbols, articles and arrays aren't links")
  func symbols() {
    #expect(links("/// ``Path`` <doc:Guide> [Int][0] [a](doc:Guide) [b](c)") == ["1 c"])
  }
}
