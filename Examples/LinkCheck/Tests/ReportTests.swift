import Testing

@testable import linkcheck

@Suite("Reports")
struct ReportTests {
  private let report = Report(
    files: 2, links: 3,
    broken: [
      BrokenLink(file: "/p/b.md", line: 10, link: "x", problem: Problem(text: "lost")),
      BrokenLink(
        file: "/p/b.md", line: 9, link: "#long", problem: Problem(text: "not in ", file: "/p/b.md")),
      BrokenLink(file: "/q/a.md", line: 1, link: "[é][\"]", problem: Problem(text: "lost")),
    ],
    elapsed: .milliseconds(1234))

  @Test("the table is sorted and aligned")
  func table() {
    #expect(
      report.table(relativeTo: "/p") == """
        FILE:LINE  LINK    PROBLEM
        b.md:9     #long   not in b.md
        b.md:10    x       lost
        /q/a.md:1  [é]["]  lost

        2 files, 3 links checked, 3 broken (1.23 s)
        """)
  }

  @Test("without broken links there is only a summary")
  func summary() {
    #expect(
      Report(files: 1, links: 1).table(relativeTo: "/")
        == "1 file, 1 link checked, 0 broken (0.00 s)")
    #expect(
      Report(isInterrupted: true).table(relativeTo: "/")
        == "0 files, 0 links checked, 0 broken (0.00 s), interrupted")
  }

  @Test("paths are normalized, and shortened below a folder")
  func paths() {
    #expect(Path("/a/./b//../c/").string == "/a/c")
    #expect(Path("/a/b").resolving("../../../c") == "/c")
    #expect(Path("/ab/c").relative(to: "/a") == "/ab/c")
    #expect(Path("/a/c").relative(to: "/") == "a/c")
    #expect(Path("/a.b/c").fileExtension == "")
    #expect(Path("/README.MD").isMarkdown)
  }
}
