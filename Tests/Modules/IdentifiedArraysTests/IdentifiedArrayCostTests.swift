import IdentifiedArrays
import TestSupport
import Testing

@Suite("costs of identified arrays")
struct IdentifiedArrayCostTests {
  @Test(
    "changing an element in place copies neither the element nor the storage",
    arguments: [1, 10, 10_000])
  func inPlace(count: Int) {
    let copies = Counter()
    var array = IdentifiedArray(
      (0..<count).map { Item(id: CountedID($0), values: Values(copies: copies)) }
    )
    let storage = address(of: array)
    for number in 0..<count {
      array[id: CountedID(number)]?.values.increment()
      array[number].values.increment()
      array[id: CountedID(number)]!.values.increment()
    }
    #expect(array.allSatisfy { $0.values.count == 3 })
    #expect(copies.count == 0)
    #expect(address(of: array) == storage)
  }

  @Test(
    "a look-up hashes nothing among 16 elements, and one id among more, however they came there")
  func hashesOfLookUps() {
    for count in [1, 16, 17, 100, 10_000] {
      let hashes = Counter()
      let items = (0..<count + 20).map {
        Item(id: CountedID($0, hashes), values: Values(copies: Counter()))
      }
      func check(_ array: IdentifiedArray<CountedID, Item>) {
        let before = hashes.count
        var array = array
        array[id: CountedID(count / 2, hashes)]?.values.increment()
        #expect(array[count / 2].values.count == 1)
        #expect(hashes.count - before == (count > 16 ? 1 : 0))
      }
      check(IdentifiedArray(items[..<count]))
      var appended = IdentifiedArray<CountedID, Item>([])
      for item in items[..<count] { appended.append(item) }
      check(appended)
      var cut = IdentifiedArray(items)
      cut.removeLast(20)
      check(cut)
    }
  }

  @Test("a new array hashes each id once, and a change only few")
  func hashesOfChanges() {
    let hashes = Counter()
    func number(by change: () -> Void) -> Int {
      let before = hashes.count
      change()
      return hashes.count - before
    }
    let items = (0..<1_000).map {
      Item(id: CountedID($0, hashes), values: Values(copies: Counter()))
    }
    var many = IdentifiedArray<CountedID, Item>([])
    #expect(number { many = IdentifiedArray(items) } == 1_000)
    for position in [0, 500, 998] {
      // A dictionary also hashes a few neighbors of what it removes.
      var removed: Item?
      #expect(number { removed = many.remove(at: position) } < 100)
      // One for the look-up of its id, and one for each behind the last position, which move.
      #expect(number { many.insert(removed!, at: position) } == (position == 998 ? 3 : 2))
    }
    var few = IdentifiedArray(items[..<16])
    #expect(number { few.append(few.remove(at: 8)) } == 0)
  }

  @Test("a condition is asked once for each element")
  func conditions() {
    var array = IdentifiedArray((0..<10).map { Row($0) })
    var asked: [Int] = []
    array.removeAll {
      asked.append($0.id)
      return $0.id.isMultiple(of: 2)
    }
    #expect(asked == Array(0..<10))
  }

  @Test("a shared array is copied once, and then changed in place")
  func shared() {
    let copies = Counter()
    var array = IdentifiedArray(
      (0..<10).map { Item(id: CountedID($0), values: Values(copies: copies)) }
    )
    let original = array
    array[id: CountedID(3)]?.values.increment()
    let storage = address(of: array)
    array[id: CountedID(3)]?.values.increment()
    #expect(copies.count == 1)
    #expect(address(of: array) == storage)
    #expect(original[3].values.count == 0)
  }

  private func address(of array: IdentifiedArray<CountedID, Item>) -> Int {
    unsafe array.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) } ?? 0
  }
}

private struct CountedID: Hashable {
  let number: Int
  let hashes: Counter?

  init(_ number: Int, _ hashes: Counter? = nil) {
    self.number = number
    self.hashes = hashes
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

  func hash(into hasher: inout Hasher) {
    _ = hashes?.next()
    hasher.combine(number)
  }
}

private struct Item: Identifiable {
  let id: CountedID
  var values: Values
}

/// A value that counts the copies of its storage when it is changed while shared.
private struct Values {
  private final class Storage {
    var count = 0
  }

  private var storage = Storage()
  private let copies: Counter

  init(copies: Counter) {
    self.copies = copies
  }

  var count: Int { storage.count }

  mutating func increment() {
    if !isKnownUniquelyReferenced(&storage) {
      _ = copies.next()
      let copy = Storage()
      copy.count = storage.count
      storage = copy
    }
    storage.count += 1
  }
}
