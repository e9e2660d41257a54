extension RandomNumberGenerator {
  /// Returns a number from 0 that is less than a bound.
  package mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns `true` with a probability in percent.
  package mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  /// Returns an element of a nonempty collection.
  package mutating func pick<C: Collection>(_ elements: C) -> C.Element {
    elements.randomElement(using: &self)!
  }
}

/// A generator that repeats its numbers for the same seed.
package struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  package mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
