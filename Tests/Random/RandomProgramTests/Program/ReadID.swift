import StandardDependencies

/// Identifies a read of a run.
struct ReadID: Hashable, Comparable, Sendable {
  /// The calls of closures that led to the step.
  var path: UInt64
  var step: Int
  /// Which of the step's reads.
  var index: Int

  static func < (lhs: ReadID, rhs: ReadID) -> Bool {
    (lhs.path, lhs.step, lhs.index) < (rhs.path, rhs.step, rhs.index)
  }

  /// Which read says what instance another read has found.
  static func instance(_ index: Int) -> Int { 10_000 + index }

  /// Which read says what was recorded of another read.
  static func recorded(_ index: Int) -> Int { 20_000 + index }

  /// Which read says how another read is explained.
  static func explained(_ index: Int) -> Int { 30_000 + index }

  /// Which read says where the override that another read has found was set.
  static func place(_ index: Int) -> Int { 40_000 + index }

  /// The path of what a step calls.
  static func path(_ path: UInt64, calling step: Step) -> UInt64 {
    var random = SplitMix64(seed: path ^ UInt64(step.id))
    return random.next()
  }
}
