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
/// Copies share one generator, and each of its numbers goes to only one of them.
public struct SharedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  private let generate: @Sendable () -> UInt64

  /// Wraps a generator so that several tasks can share it.
  ///
  /// Tasks take turns: each waits while another one's number is generated. If the generator draws
  /// from its own wrapper, it gets the system's random numbers, and an issue is reported.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let turn = Turn(generator)
    generate = { turn.next() }
  }

  private init(generate: @escaping @Sendable () -> UInt64) {
    self.generate = generate
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
  public static var live: Self { Self(generate: { .random(in: .min ... .max) }) }

  /// Returns a ``SplitMix64`` generator, which always produces the same numbers for the same
  /// seed, on every platform.
  ///
  /// The values that the standard library derives from them, such as those of
  /// `Int.random(in:using:)`, may change with its version.
  public static func seeded(_ seed: UInt64) -> Self {
    let state = Atomic(seed)
    return Self(generate: {
      SplitMix64.mix(state.wrappingAdd(SplitMix64.step, ordering: .relaxed).newValue)
    })
  }
}

/// A user's generator, which one thread at a time uses.
private final class Turn<Generator: RandomNumberGenerator & Sendable>: Sendable {
  private let generator: Mutex<Generator>
  /// The thread that uses it; 0 if none does.
  private let thread = Atomic<UInt>(0)

  init(_ generator: Generator) {
    self.generator = Mutex(generator)
  }

  func next() -> UInt64 {
    let current = runningThread
    // Without the lock: only this thread sets it to, and from, this thread.
    if thread.load(ordering: .relaxed) == current {
      DependencyIssue(
        problem: """
          A \(Generator.self) draws from the `SharedRandomNumberGenerator` that wraps it. It gets a \
          random number of the system instead.
          """,
        remedy: "let the generator keep the source of its numbers, rather than read a dependency.",
        at: nil
      ).report()
      return .random(in: .min ... .max)
    }
    return generator.withLock { generator in
      thread.store(current, ordering: .relaxed)
      defer { thread.store(0, ordering: .relaxed) }
      return generator.next()
    }
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
