import ComposableReducers

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
  static func seeded(_ seed: UInt64) -> RandomNumber {
    let generator = SplitMix64(seed: seed)
    return RandomNumber { generator.next(in: $0) }
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
