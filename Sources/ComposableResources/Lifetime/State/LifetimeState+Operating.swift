extension LifetimeState {
  /// Returns the operation if it must be cancelled immediately.
  mutating func beginOperation(_ task: OperationTask) -> OperationTask? {
    operation = task
    return isOperationCancelled ? task : nil
  }

  /// Returns the operation if it must be cancelled: once, and only before it has ended.
  ///
  /// Then `isCancellingOperation` is true, and stays true until the caller has cancelled it.
  mutating func cancelOperation() -> OperationTask? {
    guard phase == .operating, !isOperationCancelled else { return nil }
    isOperationCancelled = true
    isCancellingOperation = operation != nil
    return operation
  }

  /// Ends the operation, which nothing cancels from now on.
  mutating func endOperation() {
    phase = .closing
    operation = nil
  }
}
