import Testing

@testable import ValueDifferences

@Suite("The difference between two texts")
struct LineDifferenceTests {
  private func shown(_ old: [String], _ new: [String]) -> [String] {
    LineDifference(from: old, to: new).description.split(separator: "\n").map(String.init)
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
