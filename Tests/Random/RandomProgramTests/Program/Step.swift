/// One step of a program, and the blocks of steps that it runs.
struct Step: Sendable {
  /// Unique in its program.
  let id: Int
  var operation: Operation
  /// The keys that are read or aliased.
  var keys: [Int] = []
  /// The values that are set.
  var changes: [Change] = []
  /// Selects one of several ways to write the same, or a type or member.
  var variant = 0
  /// The variables that are used.
  ///
  /// If one is undefined, because its definition was skipped, the step does nothing.
  var uses: [Int] = []
  /// The variable that is defined.
  var defines: Int?
  /// The derived environments that lead from the used environment to the intended one.
  var slots: [Int] = []
  var blocks: [[Step]] = []
}

/// A dependency that is set.
struct Change: Sendable {
  var key: Int
  var value: Int
  /// Whether `value` is added to the current value.
  var isIncrement = false
}
