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

/// The number of orders of tasks that have these numbers of steps.
package func multinomial(_ counts: [Int]) -> Int {
  var (result, total) = (1, 0)
  for count in counts {
    for number in 1...count {
      total += 1
      result = result * total / number
    }
  }
  return result
}
