import ComposableDependencies
import IdentifiedArrays
import TestSupport
import Testing

@Suite("identified arrays")
struct IdentifiedArrayTests {
  var rows: IdentifiedArray<Int, Row> = [Row(1, "a"), Row(2, "b"), Row(3, "c")]

  @Test("the id can be at any key path")
  func keyPath() {
    var words = IdentifiedArray(["one", "three"], id: \String.count)
    #expect(words[id: 5] == "three")
    words[id: 4] = "four"
    checkIndex(of: words, [3, 5, 4])
    let empty = IdentifiedArray<String, Row>(id: \.name)
    #expect(empty.isEmpty)
  }

  @Test("a duplicate id is reported with its positions and place, and the first is kept")
  func duplicates() throws {
    var array = IdentifiedArray<Int, Row>()
    let line: UInt = #line + 2
    let reported = issues {
      array = IdentifiedArray([Row(1, "a"), Row(2, "b"), Row(1, "c"), Row(1, "d")])
    }
    #expect(array.elements == [Row(1, "a"), Row(2, "b")])
    check(array, [1, 2])
    let issue = try #require(reported.first)
    #expect(reported.count == 1)
    #expect(issue.problem.contains("the same id, 1, at positions 0, 2 and 3"))
    #expect(issue.remedy.contains("uniquingIDsWith: { first, last in last }"))
    #expect(issue.fileID == #fileID)
    #expect(issue.line == line)
  }

  @Test("elements with the same id are combined in the place of the first")
  func uniquing() {
    let elements = [Row(1, "a"), Row(2, "b"), Row(1, "c"), Row(1, "d")]
    let last = IdentifiedArray(elements, uniquingIDsWith: { $1 })
    #expect(last.elements == [Row(1, "d"), Row(2, "b")])
    check(last, [1, 2])
    let joined = IdentifiedArray(elements, id: \.id) { Row($0.id, $0.name + $1.name) }
    #expect(joined[id: 1] == Row(1, "acd"))
    let reported = issues {
      check(IdentifiedArray(elements, uniquingIDsWith: { first, _ in Row(9, first.name) }), [1, 2])
    }
    #expect(reported.map { $0.problem.contains("given the id 9") } == [true, true])
    #expect(throws: Failure.self) {
      try IdentifiedArray(elements, uniquingIDsWith: { _, _ in throw Failure() })
    }
  }

  @Test("ids that don't equal themselves are no duplicates, and each element is kept once")
  func notANumber() {
    for count in [3, 40] {
      var array = IdentifiedArray(
        Array(repeating: Double.nan, count: count), id: \.self)
      #expect(array.count == count)
      array.append(.nan)
      array.removeFirst()
      #expect(array.count == count)
      #expect(array.ids.count == count)
    }
  }

  @Test("each duplicate id is reported, also in a literal")
  func severalDuplicates() {
    let reported = issues {
      let array: IdentifiedArray<Int, Row> = [Row(1), Row(2), Row(2), Row(1)]
      check(array, [1, 2])
    }
    #expect(reported.map(\.line) == [nil, nil])
    #expect(reported.count == 2)
    #expect(reported.first?.problem.contains("positions 0 and 3") == true)
    #expect(reported.last?.problem.contains("positions 1 and 2") == true)
  }

  @Test("an element is removed and appended by its id, also in place")
  mutating func mutateByID() {
    rows[id: 7] = nil
    take(&rows[id: 1])
    take(&rows[id: 1])
    check(rows, [2, 3])
    put(&rows[id: 5], Row(5))
    check(rows, [2, 3, 5])
  }

  @Test("an array isn't equal to its copy after an element was removed in place")
  func removedInPlace() throws {
    for id in rows.ids {
      var changed = rows
      changed[id: id]?.name += "!"
      let before = changed
      take(&changed[id: id])
      #expect(changed != before)
      #expect(try changed.positions(changedSince: #require(before.version)) == nil)
    }
  }

  @Test("several elements are appended")
  mutating func appending() {
    rows += [Row(4), Row(5)]
    check(rows, [1, 2, 3, 4, 5])
  }

  @Test("`+=` leaves out elements with a taken id")
  mutating func appendTaken() {
    rows += [Row(2, "z"), Row(4), Row(4, "z")]
    check(rows, [1, 2, 3, 4])
    #expect(rows.map(\.name) == ["a", "b", "c", ""])
  }

  @Test("positions that don't exist are reported, and ignored")
  mutating func outOfRange() {
    let reported = issues {
      rows.move(fromOffsets: [0], toOffset: 4)
      rows.move(fromOffsets: [0, 3], toOffset: -1)
      rows.move(fromOffsets: [0, 3], toOffset: 3)
      rows.remove(atOffsets: [-1, 0])
    }
    #expect(reported.count == 4)
    #expect(reported.first?.problem.contains("no position 4") == true)
    check(rows, [3, 1])
  }

  @Test("assigning an element with another id is rejected")
  mutating func foreignID() {
    let before = rows
    let reported = issues {
      rows[id: 2] = Row(9)
      rows[id: 2] = Row(1)
      rows[id: 8] = Row(9)
      put(&rows[id: 8], Row(9))
    }
    #expect(reported.count == 4)
    #expect(reported.first?.problem.contains("id 2") == true)
    #expect(reported.first?.problem.contains("id 9") == true)
    #expect(rows == before)
    check(rows, [1, 2, 3])
  }

  @Test("an id changed in place is reported, and the element keeps its old id in the array")
  mutating func changedID() {
    let reported = issues {
      rows[id: 1]?.id = 9
      rows[0].id = 2
      rows[id: 3]?.id = 2
    }
    #expect(reported.map { $0.problem.contains("the id 2") } == [false, true, true])
    #expect(reported.allSatisfy { $0.problem.contains("keeps finding it by its old id") })
    #expect(rows.map(\.id) == [2, 2, 2])
    checkIndex(of: rows, [1, 2, 3])
    rows[id: 1] = Row(1)
    rows[2] = Row(3)
    check(rows, [1, 2, 3])
  }

  @Test("adding an element returns where it is; with a taken id, it changes nothing")
  mutating func adding() {
    #expect(rows.append(Row(4)) == (true, 3))
    #expect(rows.insert(Row(5), at: 1) == (true, 1))
    check(rows, [1, 5, 2, 3, 4])
    let before = rows
    #expect(rows.append(Row(2, "z")) == (false, 2))
    #expect(rows.insert(Row(3), at: 0) == (false, 3))
    #expect(rows.insert(Row(3), at: 5) == (false, 3))
    #expect(rows == before)
    check(rows, [1, 5, 2, 3, 4])
  }

  @Test("an element counts as contained, and is removed, by its id alone")
  mutating func elements() {
    #expect(rows.contains(Row(2, "z")) && !rows.contains(Row(4, "a")))
    #expect(rows.remove(Row(2, "z")) == Row(2, "b"))
    #expect(rows.remove(Row(2, "z")) == nil)
    #expect(rows.popLast() == Row(3, "c"))
    check(rows, [1])
    rows.removeAll()
    #expect(rows.popLast() == nil)
  }

  @Test("an element is replaced at its position, but not by one with another element's id")
  mutating func updating() {
    #expect(rows.update(Row(2, "z"), at: 1) == Row(2, "b"))
    #expect(rows[id: 2] == Row(2, "z"))
    #expect(issues { rows.update(Row(1), at: 1) }.count == 1)
    check(rows, [1, 2, 3])
  }

  @Test("among many elements, too, the first ones with an id are kept")
  func manyDuplicates() {
    let elements = (0..<40).map { Row($0 % 30, "\($0)") }
    var rows = IdentifiedArray<Int, Row>([])
    #expect(issues { rows = IdentifiedArray(elements) }.count == 10)
    check(rows, Array(0..<30))
    #expect(rows.elements == Array(elements[..<30]))
  }

  @Test("an array of elements needs no label, and a sequence can be any")
  func unlabeled() {
    let elements = [Row(2), Row(1)]
    check(IdentifiedArray(elements), [2, 1])
    check(IdentifiedArray(elements.lazy.reversed()), [1, 2])
    checkIndex(of: IdentifiedArray(elements, id: \.id), [2, 1])
    check(IdentifiedArray(rows), [1, 2, 3])
    check(IdentifiedArray(uniqueElements: elements), [2, 1])
    checkIndex(of: IdentifiedArray(uniqueElements: elements, id: \.id), [2, 1])
  }

  /// Checks that positions and ids agree, and that each id leads to its own element.
  private func check(_ rows: IdentifiedArray<Int, Row>, _ ids: [Int]) {
    #expect(rows.map(\.id) == ids)
    checkIndex(of: rows, ids)
  }

  private func checkIndex<Element>(of array: IdentifiedArray<Int, Element>, _ ids: [Int]) {
    #expect(array.ids == ids)
    #expect(array.count == ids.count)
    for (position, id) in ids.enumerated() {
      #expect(array.index(id: id) == position)
    }
    #expect((-50..<50).filter { array.contains(id: $0) } == ids.filter { $0 < 50 }.sorted())
  }

  private func take(_ row: inout Row?) { row = nil }
  private func put(_ row: inout Row?, _ new: Row) { row = new }
}
