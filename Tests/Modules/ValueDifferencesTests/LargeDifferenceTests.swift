import Testing

@testable import ValueDifferences

@Suite("A large difference")
struct LargeDifferenceTests {
  private struct Row: Equatable {
    var id: Int
    var title = "a title"
    var isDone = false
  }

  @Test("of states with 10,000 rows shows the one that differs")
  func rows() {
    var rows = (0..<10_000).map { Row(id: $0) }
    let old = rows
    rows[7_000].isDone = true
    #expect(
      difference(between: old, and: rows) == """
          [
          … (35000 lines are the same)
            Row(
              id: 7000,
              title: "a title",
        -     isDone: false,
        +     isDone: true,
            ),
          … (14995 lines are the same)
          ]
        """)
  }

  @Test("is truncated")
  func much() {
    let shown = difference(between: Array(0..<500), and: Array(500..<1000))
    #expect(shown?.hasSuffix("(939 more lines differ)") == true)
    #expect(
      difference(between: Array(0..<30_000), and: Array(30_000..<60_000))?
        .split(separator: "\n").count ?? 0 < 100)
  }
}
