import ComposableReducers
import StandardDependencies
import Synchronization

/// Draws a random number asynchronously, like a device or a service.
struct RandomNumber: DependencyKey {
  static let defaultValue = seeded(.random(in: .min ... .max))

  var draw: @Sendable (_ range: ClosedRange<Int>) async -> Int

  func callAsFunction(in range: ClosedRange<Int>) async -> Int {
    await draw(range)
  }
}

extension RandomNumber {
  /// Returns a generator that draws the same numbers for the same seed.
  ///
  /// It has a rule of its own for ranges, because the standard library's rule may change.
  static func seeded(_ seed: UInt64) -> RandomNumber {
    let numbers = Mutex(SplitMix64(seed: seed))
    return RandomNumber { range in
      range.lowerBound + Int(numbers.withLock { $0.next() } % UInt64(range.count))
    }
  }

  /// The same generator, which rolls a die regardless of the requested range.
  var dice: RandomNumber {
    RandomNumber { _ in await draw(1...6) }
  }
}

extension Dependencies {
  /// The source of random numbers.
  var randomNumber: RandomNumber {
    get { self[RandomNumber.self] }
    set { self[RandomNumber.self] = newValue }
  }
}
