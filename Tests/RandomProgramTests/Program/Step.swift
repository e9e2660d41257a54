/// One step of a program, and the blocks of steps that it runs.
struct Step: Sendable {
  /// Unique in its program.
  let id: Int
  var operation: Operation
  /// What is read, or aliased.
  var keys: [Int] = []
  /// What is set.
  var changes: [Change] = []
  /// Which of several ways to write the same, or which type or member of it.
  var variant = 0
  /// The variables that are used; where one is undefined, because its definition was jumped over,
  /// the step does nothing.
  var uses: [Int] = []
  /// The variable that is defined.
  var defines: Int?
  /// Which derived environments lead from the one that is used to the one that is meant.
  var slots: [Int] = []
  var blocks: [[Step]] = []
}

/// A dependency that is set.
struct Change: Sendable {
  var key: Int
  var value: Int
  /// Whether `value` is added to what is there.
  var isIncrement = false
}
