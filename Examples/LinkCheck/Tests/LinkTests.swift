import Testing

@testable import linkcheck

private func links(_ text: String, in file: Path = "/a.md") -> [String] {
  Document(text, of: file).links.map { "\($0.line) \($0.text)" }
}

@Suite("Links of Markdown")
struct LinkTests {
  @Test("an inline link has a target and a line")
  func inline() {
    #expect(links("see\n[this](a.md) and [that](b/c.md#d \"title\")") == ["2 a.md", "2 b/c.md#d"])
  }

  @Test("an image is a link, also in the text of another")
  func images() {
    #expect(links("[![alt](image.png)](page.md)") == ["1 image.png", "1 page.md"])
  }

  @Test("a target in angle brackets may have spaces")
  func angleBrackets() {
    #expect(links("[a](<my file.md>) [b](my file.md)") == ["1 my file.md"])
  }

  @Test("parentheses in targets and brackets in texts are nested")
  func nesting() {
    #expect(links("[a [b] c](d(e)f.md) [x\\]](y\\).md)") == ["1 d(e)f.md", "1 y).md"])
  }

  @Test("a link that spans lines is reported on the first")
  func lines() {
    #expect(links("one\n[two\nthree](four.md)\n[five](six.md)") == ["2 four.md", "4 six.md"])
  }

  @Test("a link is checked where its reference is defined")
  func definitions() {
    let text = "[a][one], [Two][], [two]\n\n[ONE]: a.md 'title'\n[two]: <b c.md>\n"
    #expect(links(text) == ["3 a.md", "4 b c.md"])
  }

  @Test("the path of a page that DocC publishes isn't a file")
  func publishedPages() {
    #expect(links("[a]: /documentation/b/c\n[d]: /documents/e") == ["2 /documents/e"])
  }

  @Test("a reference without a definition is found")
  func undefinedReferences() {
    #expect(links("[a][one] [b] [c][] ![d][two]") == ["1 [a][one]", "1 [c][]", "1 ![d][two]"])
    #expect(Document("[a][b]", of: "/a.md").links.first?.target == .undefinedReference("b"))
  }

  @Test("subscripts, footnotes and task lists aren't references")
  func notReferences() {
    #expect(links("table[row][column] and Unsafe[Mutable][Raw], [a][^1]\n- [ ] b\n- [x] c") == [])
    #expect(links("[a][b](c)") == ["1 c"])
    #expect(links("[^1]: see [d](e.md)") == ["1 e.md"])
  }

  @Test("HTML anchors and images are links")
  func html() {
    #expect(
      links("<p>\n    <a class=x\n href='a.md'>b</a> <IMG src=\"c.png\"/>") == [
        "2 a.md", "3 c.png",
      ])
  }

  @Test("comments and preformatted HTML are not read")
  func rawHTML() {
    #expect(links("<!-- [a](b)\n\n[c](d) -->\n\nx <!-- [e](f) --> [g](h)") == ["5 h"])
    #expect(links("<pre>\n[a](b)\n\n[c](d)\n</pre>\n[e](f)") == ["6 f"])
  }

  @Test("links to the network are ignored")
  func external() {
    let text = "[a](https://x.y/z) [b](mailto:me@x.y) [c](//x.y) [d](data:,x) [e](doc:X) <http://f>"
    #expect(links(text) == [])
  }

  @Test("code is not read")
  func code() {
    #expect(links("`[a](b)` ``[c](`d)`` \\`[e](f)\\`") == ["1 f"])
    #expect(links("```md\n[a](b)\n~~~\n````\n[c](d)\n~~~\n```\n[e](f)\n~~~") == ["5 d"])
    #expect(links("text\n\n    [a](b)\n\n[c](d)\n    [e](f)") == ["5 d", "6 f"])
  }

  @Test("code in a list is distinguished from items")
  func listCode() {
    let text = """
      - [a](a)

        [b](b)

            [code](code)
        - [c](c)
          ```
          [code](code)
          ```
          [d](d)
      10. > ```
          > [code](code)
          > ```
          > [e](e)
      """
    #expect(links(text) == ["1 a", "3 b", "6 c", "10 d", "14 e"])
  }

  @Test("front matter is not read")
  func frontMatter() {
    #expect(links("---\ntitle: [a](b)\n---\n[c](d)") == ["4 d"])
  }

  @Test("a target is decoded, and split into path and anchor")
  func targets() {
    func target(_ text: String) -> Link.Target? { Link(to: text, line: 1)?.target }
    #expect(target("a%20b.md#c%C3%A9") == .file("a b.md", anchor: "cé"))
    #expect(target("#a") == .sameFile(anchor: "a"))
    #expect(target("#") == .sameFile(anchor: nil))
    #expect(target("a.md#top") == .file("a.md", anchor: nil))
    #expect(target("a.md?plain=1#L10") == .file("a.md", anchor: nil))
    #expect(target("100%.md") == .file("100%.md", anchor: nil))
    #expect(links("[a](b&amp;c\\_d.md)") == ["1 b&c_d.md"])
  }

  @Test("Windows line ends and a byte order mark make no difference")
  func lineEnds() {
    #expect(links("\u{FEFF}# a\r\n\r\n[b](c)\r\n[d]: e\r\n") == ["3 c"])
  }
}
