import Synchronization
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
    for id in 900..<997 { array.remove(id: id) }
    #expect(array.table.isEmpty)
    #expect((997..<1_000).allSatisfy { array[id: $0]?.id == $0 })
  }

  @Test("it has room for as many elements as are reserved")
  func reserving() {
    var array = IdentifiedArray(uniqueElements: (0..<20).map { Element(id: $0) })
    array.reserveCapacity(1_000)
    let slots = array.table.slots.count
    #expect(slots * 3 >= 4_000)
    for id in 20..<1_000 { array.append(Element(id: id)) }
    #expect(array.table.slots.count == slots)
    for id in 0..<990 { array.remove(id: id) }
    #expect(array.table.slots.count == slots)
    #expect((990..<1_000).allSatisfy { array[id: $0]?.id == $0 })
  }

  @Test("it is at most three quarters full, and at least a third if the array only grows")
  func fullness() {
    #expect(IDTable(roomFor: 24).slots.count == 32)
    #expect(IDTable(roomFor: 25).slots.count == 64)
    for isAppended in [true, false] {
      var array = IdentifiedArray<Int, Element>()
      for id in 0..<1_000 {
        array.insert(Element(id: id), at: isAppended ? id : 0)
        let (count, slots) = (array.count, array.table.slots.count)
        if slots == 0 {
          #expect(count <= 16)
        } else {
          #expect(count * 4 <= slots * 3 && (count * 3 > slots || slots == 32))
        }
      }
    }
  }

  @Test("an array that is emptied begins again, and keeps its room if that is wanted")
  func emptying() {
    for isKept in [true, false] {
      var array = IdentifiedArray(uniqueElements: (0..<40).map { Element(id: $0) })
      let slots = array.table.slots.count
      array.removeAll(keepingCapacity: isKept)
      #expect(array.isEmpty && array.ids.isEmpty)
      #expect(array[id: 7] == nil)
      #expect(array.table.slots.count == (isKept ? slots : 0))
      for id in (0..<40).reversed() { array.append(Element(id: id)) }
      #expect(array.ids == (0..<40).reversed())
      #expect(array.index(id: 7) == 32)
      #expect(array.table.slots.count == slots)
    }
  }

  @Test("changing the array at its start changes few slots, however often that happens")
  func start() {
    var array = IdentifiedArray(uniqueElements: (0..<200).map { Element(id: $0) })
    var changed = 0
    for id in 200..<4_000 {
      let before = array.table
      array.removeFirst()
      array.append(Element(id: id))
      changed += zip(before.slots, array.table.slots).count { $0 != $1 }
      // More would take bits from the hash, and in the end overflow.
      #expect((1...2_048).contains(array.table.bias))
    }
    #expect(changed < 3_800 * 20)
    #expect(array.indices.allSatisfy { array.index(id: array[$0].id) == $0 })
  }

  @Test("it shrinks only when most of it is unused, so that adding and removing seldom rebuild it")
  func shrinkingLate() {
    var array = IdentifiedArray(uniqueElements: (0..<1_000).map { Element(id: $0) })
    var sizes = [array.table.slots.count]
    while !array.isEmpty {
      array.removeLast()
      let slots = array.table.slots.count
      if slots != sizes.last {
        // The element before was the last for which the table wasn't too large.
        #expect((array.count + 1) * 8 == sizes.last)
        sizes.append(slots)
      }
      #expect(slots == 0 || slots == 32 || array.count * 8 >= slots)
    }
    #expect(sizes == [2_048, 512, 128, 32, 0])
  }

  @Test("adding elements for which room is reserved moves none", arguments: [10, 24, 500, 768])
  func reservedStorage(count: Int) {
    var array = IdentifiedArray<Int, Element>()
    array.reserveCapacity(count)
    var addresses: [[UInt?]] = []
    for id in 0..<count {
      array.append(Element(id: id))
      addresses.append([
        unsafe array.elements.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) },
        unsafe array.ids.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) },
        unsafe array.table.slots.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) },
      ])
    }
    #expect(Set(addresses).count == 1)
  }

  @Test("reserving room keeps the elements, few or many", arguments: [0, 3, 16, 17, 40])
  func reservingAround(count: Int) {
    for room in [2, 16, 30, 500] {
      var array = IdentifiedArray(uniqueElements: (0..<count).map { Element(id: $0) })
      array.reserveCapacity(room)
      #expect((0..<count).allSatisfy { array.index(id: $0) == $0 })
      let isAppended = array.append(Element(id: 0)).inserted
      #expect(isAppended == (count == 0))
      array.append(Element(id: 99))
      #expect(array.index(id: 99) == array.count - 1)
    }
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

  /// An id that counts how often it is hashed and compared.
  private struct CountedID: Hashable, Sendable {
    @TaskLocal static var counter = Counter()
    let number: Int

    static func == (lhs: Self, rhs: Self) -> Bool {
      counter.comparisons.withLock { $0 += 1 }
      return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
      Self.counter.times.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  private final class Counter: Sendable {
    let times = Mutex(0)
    let comparisons = Mutex(0)
  }

  private struct Counted: Identifiable, Sendable {
    let id: CountedID
    init(_ number: Int) { id = CountedID(number: number) }
  }

  private typealias Fill = @Sendable (inout IdentifiedArray<CountedID, Counted>, Int) -> Void

  @Test(
    "up to sixteen ids are never hashed, and of more ids few are compared",
    arguments: [{ $0.append(Counted($1)) }, { $0.insert(Counted($1), at: 0) }] as [Fill])
  private func longestSearch(add: Fill) {
    let counter = Counter()
    CountedID.$counter.withValue(counter) {
      var array = IdentifiedArray<CountedID, Counted>()
      for number in 0..<16 { add(&array, number) }
      #expect(array[id: CountedID(number: 7)] != nil)
      #expect(counter.times.withLock { $0 } == 0)
      for number in 16..<500 {
        add(&array, number)
        let before = counter.comparisons.withLock { $0 }
        let position = array.index(id: CountedID(number: 7))
        #expect(position.map { array[$0].id.number } == 7)
        #expect(counter.comparisons.withLock { $0 } - before < 5)
      }
    }
  }

  @Test("removing and inserting hashes few ids, wherever it is", arguments: [0, 1, 1_000, 1_998])
  func hashing(position: Int) {
    let counter = Counter()
    CountedID.$counter.withValue(counter) {
      var array = IdentifiedArray(uniqueElements: (0..<2_000).map { Counted($0) })
      let before = counter.times.withLock { $0 }
      array.remove(at: position)
      let removing = counter.times.withLock { $0 } - before
      #expect(removing < 20)
      array.insert(Counted(5_000), at: position)
      #expect(counter.times.withLock { $0 } - before - removing < 20)
      #expect(array[id: CountedID(number: 5_000)] != nil)
      #expect(array.indices.allSatisfy { array[id: array[$0].id]?.id == array[$0].id })
    }
  }

  @Test("moving an element hashes few ids, however far it moves", arguments: [3, 1_000, 1_999])
  func moving(destination: Int) {
    let counter = Counter()
    CountedID.$counter.withValue(counter) {
      var array = IdentifiedArray(uniqueElements: (0..<2_000).map { Counted($0) })
      let before = counter.times.withLock { $0 }
      array.move(from: 1, to: destination)
      #expect(counter.times.withLock { $0 } - before < 20)
      #expect(array.indices.allSatisfy { array[id: array[$0].id]?.id == array[$0].id })
    }
  }

  @Test("algorithms read the elements as one buffer")
  func buffer() {
    let array = IdentifiedArray(uniqueElements: (0..<20).map { Element(id: $0) })
    #expect(unsafe array.withContiguousStorageIfAvailable { unsafe $0.map(\.id) } == Array(0..<20))
  }
}
