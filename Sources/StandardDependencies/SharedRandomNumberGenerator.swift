public import ComposableDependencies
internal import Synchronization

/// A source of random numbers that several tasks may share.
///
/// ```swift
/// @Dependency(\.randomNumberGenerator) var randomNumbers
/// let die = randomNumbers { Int.random(in: 1...6, using: &$0) }
/// let hand = randomNumbers { deck.shuffled(using: &$0) }
/// ```
///
/// Copies share one generator, each of whose numbers goes to one of them: a lock is held while a
/// number is made, and not between two.
public struct SharedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  private let generate: @Sendable () -> UInt64

  /// Shares a generator.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let generator = LockedGenerator(generator)
    generate = { generator.next() }
  }

  /// The next number.
  public func next() -> UInt64 { generate() }

  /// Hands the generator to what draws from one that it can change.
  ///
  /// - Returns: What `draw` returns.
  /// - Throws: What `draw` throws.
  public func callAsFunction<R, E: Error>(
    _ draw: (inout SharedRandomNumberGenerator) throws(E) -> R
  ) throws(E) -> R {
    var copy = self
    return try draw(&copy)
  }
}

extension SharedRandomNumberGenerator {
  /// The random numbers of the system, fit for cryptography.
  public static var live: Self { Self(SystemRandomNumberGenerator()) }

  /// The numbers of ``SplitMix64``: the same for the same seed, on every platform, for ever.
  ///
  /// What the standard library makes of them, as `Int.random(in:using:)` does, may change with its
  /// version.
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
  /// A source of random numbers; ``SharedRandomNumberGenerator/live`` by default.
  ///
  /// In a test override it with ``SharedRandomNumberGenerator/seeded(_:)``.
  public var randomNumberGenerator: SharedRandomNumberGenerator {
    get { self[RandomNumberGeneratorKey.self] }
    set { self[RandomNumberGeneratorKey.self] = newValue }
  }
}
