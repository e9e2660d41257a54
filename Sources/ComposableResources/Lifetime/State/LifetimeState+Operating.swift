extension LifetimeState {
  /// Returns whether to cancel the operation immediately.
  mutating func beginOperation(_ task: Task<Void, Never>) -> Bool {
    // It may already have ended.
    if phase == .operating { operation = task }
    return phase == .operating && isOperationCancelled
  }

  /// Returns the operation if it must be cancelled: once, and only before it has ended.
  mutating func cancelOperation() -> Task<Void, Never>? {
    guard phase == .operating, !isOperationCancelled else { return nil }
    isOperationCancelled = true
    return operation
  }

  /// Returns whether the operation's task may close the resources, because nothing can cancel it
  /// now.
  mutating func endOperation() -> Bool {
    phase = .closing
    operation = nil
    return !isOperationCancelled
  }
}
