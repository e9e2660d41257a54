/// Sebastiano Vigna's generator SplitMix64, which is small and fast.
///
/// The same seed always produces the same numbers. The state starts as the seed. Each number adds
/// `0x9E3779B97F4A7C15` to it, and mixes the sum `z`, all modulo 2^64:
///
/// ```text
/// z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
/// z = (z ^ (z >> 27)) * 0x94D049BB133111EB
/// z ^ (z >> 31)
/// ```
///
/// This algorithm never changes. It isn't suitable for cryptography.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mix(state)
  }

  static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func mix(_ state: UInt64) -> UInt64 {
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
