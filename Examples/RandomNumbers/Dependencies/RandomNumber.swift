import ComposableReducers

/// Draws a random number; asynchronously, as a device or a service would.
struct RandomNumber: DependencyKey {
  static let defaultValue = seeded(.random(in: .min ... .max))

  var draw: @Sendable (_ range: ClosedRange<Int>) async -> Int

  func callAsFunction(in range: ClosedRange<Int>) async -> Int {
    await draw(range)
  }
}

extension RandomNumber {
  /// The same numbers in the same order for the same seed.
  static func seeded(_ seed: UInt64) -> RandomNumber {
    let generator = SplitMix64(seed: seed)
    return RandomNumber { generator.next(in: $0) }
  }

  /// The same generator, from which a die is rolled whatever range is asked for.
  var dice: RandomNumber {
    RandomNumber { _ in await draw(1...6) }
  }
}

extension Dependencies {
  /// Where random numbers come from.
  var randomNumber: RandomNumber {
    get { self[RandomNumber.self] }
    set { self[RandomNumber.self] = newValue }
  }
}
