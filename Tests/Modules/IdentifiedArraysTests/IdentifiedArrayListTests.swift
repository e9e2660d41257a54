import ComposableDependencies
import IdentifiedArrays
import Foundation
import TestSupport
import Testing

@Suite("identified arrays in lists")
struct IdentifiedArrayListTests {
  var rows = IdentifiedArray(uniqueElements: (0..<8).map { Row($0) })

  @Test("rows are moved and removed with a list's index sets")
  mutating func indexSets() {
    rows.move(fromOffsets: IndexSet([1, 3]), toOffset: 6)
    #expect(rows.ids == [0, 2, 4, 5, 1, 3, 6, 7])
    rows.move(fromOffsets: IndexSet(integer: 7), toOffset: 0)
    #expect(rows.ids == [7, 0, 2, 4, 5, 1, 3, 6])
    rows.move(fromOffsets: IndexSet([0, 2]), toOffset: 8)
    #expect(rows.ids == [0, 4, 5, 1, 3, 6, 7, 2])
    rows.move(fromOffsets: IndexSet(integer: 3), toOffset: 3)
    rows.move(fromOffsets: IndexSet(integer: 3), toOffset: 4)
    #expect(rows.ids == [0, 4, 5, 1, 3, 6, 7, 2])
    rows.remove(atOffsets: IndexSet([0, 7, 3]))
    #expect(rows.ids == [4, 5, 3, 6, 7])
    rows.remove(atOffsets: IndexSet())
    #expect(rows.ids.map { rows.index(id: $0) } == Array(0..<5))
  }

  @Test("a slice can be reversed, swapped, shuffled and sorted")
  mutating func slices() {
    let reported = issues {
      rows[2..<6].reverse()
      #expect(rows.ids == [0, 1, 5, 4, 3, 2, 6, 7])
      rows[0...].swapAt(0, 7)
      #expect(rows.ids == [7, 1, 5, 4, 3, 2, 6, 0])
      var generator = Seeded(3)
      rows[1..<7].shuffle(using: &generator)
      #expect(rows.ids != [7, 1, 5, 4, 3, 2, 6, 0])
      rows[1..<7].sort { $0.id < $1.id }
      #expect(rows.ids == [7, 1, 2, 3, 4, 5, 6, 0])
      reverse(&rows[..<4])
      #expect(rows.ids == [3, 2, 1, 7, 4, 5, 6, 0])
    }
    #expect(reported.isEmpty)
    #expect(rows.ids.map { rows.index(id: $0) } == Array(0..<8))
  }

  @Test("rows are removed by themselves, at the ends, in ranges and by a condition")
  mutating func removing() {
    #expect(rows.remove(Row(4, "other name")) == Row(4))
    #expect(rows.remove(Row(4)) == nil)
    #expect(rows.removeFirst() == Row(0))
    #expect(rows.removeLast() == Row(7))
    #expect(rows.ids == [1, 2, 3, 5, 6])
    rows.removeFirst(1)
    rows.removeLast(2)
    #expect(rows.ids == [2, 3])
    #expect(rows.popFirst() == Row(2))
    #expect(rows.popLast() == Row(3))
    #expect(rows.popLast() == nil)
    #expect(rows.popFirst() == nil)
    rows = IdentifiedArray((0..<8).map { Row($0) })
    rows.removeSubrange(1...2)
    rows.removeSubrange(4...)
    #expect(rows.ids == [0, 3, 4, 5])
    rows.removeSubrange(...1)
    rows.removeSubrange(0..<0)
    #expect(rows.ids == [4, 5])
  }

  @Test(
    "a condition that throws removes and moves nothing, whenever it throws",
    arguments: [1, 8, 16, 17, 100], [1, 2, 3])
  func throwing(count: Int, step: Int) {
    let rows = IdentifiedArray(uniqueElements: (0..<count).map { Row($0) })
    for last in 0..<count {
      var changed = rows
      #expect(throws: Failure.self) {
        try changed.removeAll {
          if $0.id == last { throw Failure() }
          return $0.id.isMultiple(of: step)
        }
      }
      #expect(changed == rows)
      #expect(changed.ids == Array(0..<count))
      #expect(changed.ids.allSatisfy { changed.index(id: $0) == $0 })
    }
  }

  @Test("filtering returns an identified array")
  func filtering() {
    let even: IdentifiedArrayOf<Row> = rows.filter { $0.id.isMultiple(of: 2) }
    #expect(even.ids == [0, 2, 4, 6])
    #expect(even.index(id: 6) == 3)
    #expect(rows.count == 8)
    let plain: [Row] = rows.filter { $0.id > 5 }
    #expect(plain == [Row(6), Row(7)])
  }

  private func reverse(_ slice: inout some MutableCollection & BidirectionalCollection) {
    slice.reverse()
  }
}
