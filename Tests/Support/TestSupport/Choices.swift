internal import StandardDependencies

/// The numbers that a generator of programs draws.
///
/// A generator that gets smaller numbers, or fewer, makes a smaller program. So programs of every
/// kind are shrunk in one way, and a smaller program is always one that the generator can make. The
/// idea is David R. MacIver's, in "Test-Case Reduction via Test-Case Generation".
package struct Choices: Sendable {
  package let seed: UInt64
  private var random: SplitMix64
  /// The numbers to draw again, followed by zeros; `nil` for random numbers.
  private var given: [Int]?
  /// The numbers drawn so far.
  private(set) package var drawn: [Int] = []

  package init(seed: UInt64, drawing given: [Int]? = nil) {
    self.seed = seed
    // Consecutive seeds should have nothing in common.
    var seeds = SplitMix64(seed: seed)
    random = SplitMix64(seed: seeds.next())
    self.given = given
  }

  /// Draws a number from 0, for what is simplest, that is less than a bound.
  package mutating func number(below bound: Int) -> Int {
    let number =
      if let given {
        drawn.count < given.count ? min(given[drawn.count], bound - 1) : 0
      } else {
        random.number(below: bound)
      }
    drawn.append(number)
    return number
  }

  /// Draws `true` with a probability in percent, or `false`, which is simpler.
  package mutating func chance(_ percent: Int) -> Bool { number(below: 100) >= 100 - percent }

  /// Draws an element of a nonempty collection, whose first is the simplest.
  package mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element {
    elements[elements.index(elements.startIndex, offsetBy: number(below: elements.count))]
  }

  /// Draws an element of a collection, unless it is empty.
  package mutating func pick<C: RandomAccessCollection>(ifAny elements: C) -> C.Element? {
    elements.isEmpty ? nil : pick(elements)
  }

  /// Draws different elements of a collection, in any order.
  package mutating func pick<C: Collection>(_ count: Int, of elements: C) -> [C.Element] {
    var rest = Array(elements)
    return (0..<min(count, rest.count)).map { _ in rest.remove(at: number(below: rest.count)) }
  }

  /// Draws whether a list continues that has some elements; each length is equally likely.
  ///
  /// Without the numbers of an element, and with those of the others, the list is shorter by one.
  package mutating func another(after count: Int, of lengths: ClosedRange<Int>) -> Bool {
    count < lengths.lowerBound || number(below: lengths.upperBound - count + 1) > 0
  }
}

extension [Int] {
  /// A range of the numbers, and the number that replaces it, if one does.
  package typealias Reduction = (range: Range<Int>, number: Int?)

  /// Reductions to fewer or smaller numbers, those that take out the most first.
  package var reductions: [Reduction] {
    var reductions: [Reduction] = []
    var length = count / 2
    while length > 0 {
      for start in stride(from: 0, through: count - length, by: length > 16 ? length / 2 : 1) {
        reductions.append((start..<start + length, nil))
      }
      length -= length > 16 ? length / 2 : 1
    }
    for index in indices {
      for number in Set([0, self[index] / 2, self[index] - 1]).sorted()
      where 0..<self[index] ~= number {
        // A smaller number may mean that fewer numbers are drawn after it.
        for end in index + 1...Swift.min(index + 4, count) {
          reductions.append((index..<end, number))
        }
      }
    }
    return reductions
  }

  package func reduced(by reduction: Reduction) -> [Int] {
    var list = self
    list.replaceSubrange(reduction.range, with: reduction.number.map { [$0] } ?? [])
    return list
  }

  /// Whether there are fewer numbers, or as many and the first that differs is smaller.
  package func isSmaller(than other: [Int]) -> Bool {
    count == other.count ? lexicographicallyPrecedes(other) : count < other.count
  }
}
