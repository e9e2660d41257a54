import ComposableReducers
import StandardDependencies

/// Draws a random number asynchronously, like a device or a service.
struct RandomNumber: DependencyKey {
  /// Follows an override of the generator, because it is computed at each read.
  static var defaultValue: RandomNumber {
    let numbers = DependencyScope.current.randomNumberGenerator
    return RandomNumber { range in numbers { Int.random(in: range, using: &$0) } }
  }

  var draw: @Sendable (_ range: ClosedRange<Int>) async -> Int

  /// Draws from 1 to 6, whatever range is asked for.
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
