import Testing

@testable import ComposableReducers

@Suite("Lists with slots")
struct SlotListTests {
  private final class Element {}

  private func ids(_ objects: [some AnyObject]) -> [ObjectIdentifier] {
    objects.map { ObjectIdentifier($0) }
  }

  @Test("a list uses each slot again that has become free")
  func slots() {
    var list = SlotList<Element>()
    let elements = (0..<5).map { _ in Element() }
    #expect(elements.map { list.insert($0) } == [0, 1, 2, 3, 4])
    for position in [1, 3] { list.remove(elements[position], at: position) }
    let rest = [elements[0], elements[2], elements[4]]
    #expect(ids(list.all) == ids(rest))
    let more = (0..<3).map { _ in Element() }
    #expect(Set(more.map { list.insert($0) }) == [1, 3, 5])
    list.remove(elements[0], at: 0)
    #expect(list.insert(elements[0]) == 0)
    #expect(list.count == 6)
    #expect(Set(ids(list.all)) == Set(ids(rest + more)))
  }

  @Test("a list that was emptied begins again, and keeps little memory")
  func emptied() {
    var list = SlotList<Element>()
    for count in [3, 1_000, 3] {
      let elements = (0..<count).map { _ in Element() }
      #expect(elements.map { list.insert($0) } == Array(0..<count))
      for (position, element) in elements.enumerated() { list.remove(element, at: position) }
      #expect(list.isEmpty && list.all.isEmpty)
    }
  }

  @Test("a list removes no element but the one that is named")
  func otherElement() {
    var list = SlotList<Element>()
    let elements = (0..<3).map { _ in Element() }
    for element in elements.prefix(2) { _ = list.insert(element) }
    for position in 0..<4 {
      let isRemoved = list.remove(elements[2], at: position)
      #expect(!isRemoved)
    }
    #expect(ids(list.all) == ids(elements.dropLast()))
  }
}
