import ComposableDependencies
import IdentifiedArrays
import Foundation
import TestSupport
import Testing

@Suite("identified arrays as collections and values")
struct IdentifiedArrayCollectionTests {
  var rows = IdentifiedArray((0..<8).map { Row($0) })

  @Test("assigning a range that would repeat an id is reported and changes nothing")
  mutating func ranges() {
    let before = rows
    let reported = issues {
      rows[0..<2] = rows[1..<3]
      _ = unsafe rows.withContiguousMutableStorageIfAvailable { unsafe $0[0] = Row(5) }
    }
    #expect(reported.count == 2)
    #expect(rows == before)
    rows[0..<2] = IdentifiedArray([Row(10), Row(11)])[0..<2]
    #expect(rows.ids == [10, 11, 2, 3, 4, 5, 6, 7])
    #expect(rows.index(id: 0) == nil)
  }

  @Test("equality and hashing depend only on the elements")
  mutating func equality() {
    var other = IdentifiedArray(rows.reversed(), id: \.id)
    #expect(rows != other)
    other.reverse()
    other.append(Row(99))
    other.remove(id: 99)
    #expect(rows == other)
    #expect(rows.hashValue == other.hashValue)
    #expect(Set([rows, other]).count == 1)
    other[id: 3]?.name = "x"
    #expect(rows != other)
  }

  @Test("an array is encoded like an array of its elements")
  func coding() throws {
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode([Row].self, from: data) == rows.elements)
    let decoded = try JSONDecoder().decode(IdentifiedArray<Int, Row>.self, from: data)
    #expect(decoded == rows)
    #expect(decoded.index(id: 5) == 5)
  }

  @Test("decoding a duplicate id throws an error that names it and its positions")
  func decodingDuplicates() throws {
    let data = try JSONEncoder().encode(["rows": [Row(4), Row(5), Row(4)]])
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([String: IdentifiedArray<Int, Row>].self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error)) is not dataCorrupted")
      return
    }
    #expect(context.debugDescription == "2 elements have the same id, 4, at positions 0 and 2")
    #expect(context.codingPath.map(\.stringValue) == ["rows"])
  }

  @Test("an array is described and mirrored as an array")
  func description() {
    let array = IdentifiedArray([1, 2], id: \.self)
    #expect("\(array)" == "[1, 2]")
    #expect(String(reflecting: array) == "[1, 2]")
    #expect(Mirror(reflecting: array).displayStyle == .collection)
    #expect(Mirror(reflecting: array).children.map(\.label) == [nil, nil])
  }
}
