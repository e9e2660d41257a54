public import ComposableDependencies
internal import Synchronization

/// A source of random numbers that several tasks can share.
///
/// ```swift
/// @Dependency(\.randomNumberGenerator) var randomNumbers
/// let die = randomNumbers { Int.random(in: 1...6, using: &$0) }
/// let hand = randomNumbers { deck.shuffled(using: &$0) }
/// ```
///
/// Copies share one generator, and each of its numbers goes to only one of them. A lock is held
/// while a number is generated, but not between numbers.
public struct SharedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  private let generate: @Sendable () -> UInt64

  /// Wraps a generator so that several tasks can share it.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let generator = LockedGenerator(generator)
    generate = { generator.next() }
  }

  /// Returns the next number.
  public func next() -> UInt64 { generate() }

  /// Passes the generator to a closure that draws from it.
  ///
  /// - Returns: The result of `draw`.
  /// - Throws: The error that `draw` throws.
  public func callAsFunction<R, E: Error>(
    _ draw: (inout SharedRandomNumberGenerator) throws(E) -> R
  ) throws(E) -> R {
    var copy = self
    return try draw(&copy)
  }
}

extension SharedRandomNumberGenerator {
  /// The system's random numbers, suitable for cryptography.
  public static var live: Self { Self(SystemRandomNumberGenerator()) }

  /// Returns a ``SplitMix64`` generator, which always produces the same numbers for the same
  /// seed, on every platform.
  ///
  /// The values that the standard library derives from them, such as those of
  /// `Int.random(in:using:)`, may change with its version.
  public static func seeded(_ seed: UInt64) -> Self {
    Self(SplitMix64(seed: seed))
  }
}

private final class LockedGenerator<Generator: RandomNumberGenerator & Sendable>: Sendable {
  private let generator: Mutex<Generator>

  init(_ generator: Generator) {
    self.generator = Mutex(generator)
  }

  func next() -> UInt64 {
    generator.withLock { $0.next() }
  }
}

private enum RandomNumberGeneratorKey: DependencyKey {
  static let defaultValue = SharedRandomNumberGenerator.live
}

extension Dependencies {
  /// The source of random numbers; ``SharedRandomNumberGenerator/live`` by default.
  ///
  /// In a test, override it with ``SharedRandomNumberGenerator/seeded(_:)``.
  public var randomNumberGenerator: SharedRandomNumberGenerator {
    get { self[RandomNumberGeneratorKey.self] }
    set { self[RandomNumberGeneratorKey.self] = newValue }
  }
}
