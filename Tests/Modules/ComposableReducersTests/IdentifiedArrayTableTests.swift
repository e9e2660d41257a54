import Testing

@testable import ComposableReducers

@Suite("The table of an IdentifiedArray")
struct IdentifiedArrayTableTests {
  private struct Element: Identifiable, Equatable, Sendable {
    var id: Int
    var text = ""
  }

  @Test("it shrinks with the array, in steps, unless room is reserved")
  func shrinking() {
    var array = IdentifiedArray(uniqueElements: (0..<1_000).map { Element(id: $0) })
    #expect(array.table.slots.count >= 1_024)
    for id in 0..<900 { array.remove(id: id) }
    #expect((128...800).contains(array.table.slots.count))
    #expect((900..<1_000).allSatisfy { array[id: $0]?.id == $0 })
    for id in 900..<995 { array.remove(id: id) }
    #expect(array.table.isEmpty)
    #expect((995..<1_000).allSatisfy { array[id: $0]?.id == $0 })
  }

  @Test("elements at a range of positions are replaced by others with the same ids")
  func replacing() {
    for count in [4, 40] {
      var array = IdentifiedArray(uniqueElements: (0..<count).map { Element(id: $0) })
      array[1..<3] = [Element(id: 1, text: "a"), Element(id: 2, text: "b")]
      #expect(array.map(\.text).prefix(4) == ["", "a", "b", ""])
      array[1..<3] = [Element(id: 2, text: "c"), Element(id: 1, text: "d")]
      #expect((array[id: 1]?.text, array[id: 2]?.text) == ("d", "c"))
      #expect(array.map(\.id) == [0, 2, 1] + Array(3..<count))
    }
  }
}
