import Testing

@testable import linkcheck

private func anchors(_ text: String, of file: Path = "/a.md") -> Set<String> {
  Document(text, of: file).anchors
}

@Suite("Anchors")
struct AnchorTests {
  @Test(
    "a heading has the anchor that GitHub gives it",
    arguments: [
      ("# Hello, World!", "hello-world"),
      ("## A & B", "a--b"),
      ("### `let x = 1` in *code* ###", "let-x--1-in-code"),
      (
        "# snake_case, _emphasis_, __strong__ and `_private`",
        "snake_case-emphasis-strong-and-_private"
      ),
      ("# A [link](a.md) and ![an image](b.png)", "a-link-and-"),
      ("# A <b>tag</b> &amp; an entity", "a-tag--an-entity"),
      ("# Größe – 大きさ 2", "größe--大きさ-2"),
      ("# 🚀 Start", "-start"),
      ("Two words\n---", "two-words"),
      ("Two words\n===", "two-words"),
      ("- # In a list", "in-a-list"),
      ("> ## In a quote", "in-a-quote"),
    ])
  func headings(heading: String, anchor: String) {
    #expect(anchors(heading) == [anchor])
  }

  @Test("text that only looks like a heading has no anchor")
  func notHeadings() {
    #expect(
      anchors("#hash\n\n    # code\n\n```\n# code\n```\n\n---\n| a\n|---\n\n####### seven") == [])
  }

  @Test("a definition isn't part of the heading after it")
  func definition() {
    #expect(anchors("[a]: b\nC\n===") == ["c"])
  }

  @Test("repeated headings are numbered")
  func repeated() {
    #expect(anchors("# A\n# a\n# A!") == ["a", "a-1", "a-2"])
  }

  @Test("HTML elements can be named")
  func html() {
    #expect(anchors("<a id=\"a\"></a> <a name='b'/> <p id=c> `<a id=\"d\">`") == ["a", "b", "c"])
  }

  @Test("headings of doc comments can be linked to in their own case as well")
  func docComments() {
    #expect(anchors("/// # One Two\n/// [a](b)", of: "/A.swift") == ["one-two", "One-Two"])
    #expect(anchors("# One", of: "/A.docc/B.md") == ["one", "One"])
  }
}
