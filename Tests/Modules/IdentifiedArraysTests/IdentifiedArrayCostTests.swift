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

  @Test("a change by id hashes as often among 10,000 elements as among 100")
  func hashes() {
    func hashesOfOneChange(among count: Int) -> Int {
      let hashes = Counter()
      var array = IdentifiedArray(
        (0..<count).map {
          Item(id: CountedID($0, hashes), values: Values(copies: Counter()))
        }
      )
      let before = hashes.count
      array[id: CountedID(count / 2, hashes)]?.values.increment()
      return hashes.count - before
    }
    #expect(hashesOfOneChange(among: 100) == 1)
    #expect(hashesOfOneChange(among: 10_000) == 1)
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
