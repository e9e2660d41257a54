import IdentifiedArrays
import Testing

@Suite("identified arrays in lists")
struct IdentifiedArrayListTests {
  var rows = IdentifiedArray((0..<8).map { Row($0) })

  @Test("rows are removed at the ends, in ranges and one after the other")
  mutating func removing() {
    rows.removeSubrange(4...)
    rows.removeSubrange(...1)
    #expect(rows.ids == [2, 3])
    #expect(rows.removeLast() == Row(3))
    #expect(rows.removeFirst() == Row(2))
    #expect(rows.isEmpty)
  }

  @Test(
    "a condition that throws removes and moves nothing, whenever it throws",
    arguments: [1, 8, 16, 17, 100], [1, 2, 3])
  func throwing(count: Int, step: Int) {
    let rows = IdentifiedArray((0..<count).map { Row($0) })
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
}
