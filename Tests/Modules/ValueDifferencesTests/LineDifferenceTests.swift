import Testing

@testable import ValueDifferences

@Suite("The difference between two texts")
struct LineDifferenceTests {
  private func shown(_ old: [String], _ new: [String], isCut: Bool = false) -> [String] {
    LineDifference(from: old, to: new, isCut: isCut).description.split(separator: "\n").map(
      String.init)
  }

  @Test("may begin and end with any kind of line")
  func ends() {
    #expect(shown(["a", "b"], ["a"]) == ["  a", "- b"])
    #expect(shown(["a"], ["a", "b"]) == ["  a", "+ b"])
    #expect(shown(["b", "a"], ["a"]) == ["- b", "  a"])
    #expect(shown(["a"], ["b", "a"]) == ["+ b", "  a"])
    #expect(shown(["a"], []) == ["- a"])
    #expect(shown([], ["a"]) == ["+ a"])
  }

  @Test("shows lines of up to 120 characters completely")
  func longLines() {
    func texts(_ count: Int) -> [String] {
      let same = String(repeating: "a", count: count - 1)
      return [same + "x", same + "y"]
    }
    let (fitting, long) = (texts(120), texts(121))
    #expect(shown([fitting[0]], [fitting[1]]) == ["- \(fitting[0])", "+ \(fitting[1])"])
    let end = String(repeating: "a", count: 30)
    #expect(
      shown([long[0]], [long[1]]) == ["- (90 the same) …\(end)x", "+ (90 the same) …\(end)y"])
  }

  @Test("leaves out the start of a long line that is the same, if that has more than 60 characters")
  func longStarts() {
    func start(_ same: Int) -> String {
      let text = String(repeating: "a", count: same)
      let end = String(repeating: "b", count: 100)
      return String(shown([text + "x" + end], [text + "y" + end])[0].prefix(12))
    }
    #expect(start(60) == "- aaaaaaaaaa")
    #expect(start(61) == "- (31 the sa")
  }

  @Test("shows 60 differing lines, says how many it hides, and closes what encloses only these")
  func hiddenLines() {
    func shownEnd(_ count: Int, isCut: Bool = false) -> [String] {
      let (lines, end) = ((0..<count).map { "  \($0)" }, ["  a", "  b", "  c", "]"])
      return Array(shown(["["] + lines + end, ["["] + end, isCut: isCut).suffix(2))
    }
    #expect(shownEnd(60) == ["  … (2 lines are the same)", "  ]"])
    #expect(shownEnd(60, isCut: true) == ["  … (2 lines are the same)", "  ]"])
    #expect(shownEnd(61) == ["-   60", "  … (4 lines are the same)"])
    #expect(shownEnd(62) == ["-   60", "  … (1 more line differs)"])
    #expect(shownEnd(62, isCut: true) == ["-   60", "  … (and many more)"])
    #expect(shownEnd(70) == ["-   60", "  … (9 more lines differ)"])
  }

  @Test("finds equal lines between differing ones in up to 2,000 lines, or if each has a partner")
  func manyLines() {
    func shownStart(_ count: Int, _ newEnd: [String]) -> [String] {
      let same = (2..<count).map(String.init)
      let lines = shown(["a"] + same + ["b"], ["c"] + same + newEnd)
      return Array(lines.prefix(3))
    }
    #expect(shownStart(2000, ["d"]) == ["- a", "+ c", "  2"])
    #expect(shownStart(2001, ["d"]) == ["- a", "+ c", "  2"])
    #expect(shownStart(1999, ["d", "e"]) == ["- a", "+ c", "  2"])
    #expect(shownStart(2000, ["d", "e"]) == ["- a", "- 2", "- 3"])
  }
}
