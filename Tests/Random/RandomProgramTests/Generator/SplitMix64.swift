import StandardDependencies

extension SplitMix64 {
  /// Returns an element of a nonempty collection.
  mutating func pick<C: Collection>(_ elements: C) -> C.Element {
    elements.randomElement(using: &self)!
  }

  /// Returns `true` with a probability in percent.
  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }
}
