/// What a store for tests asks about the test that it belongs to.
package protocol TestProgress: Sendable {
  /// Waits until nothing of the test can run, or until something has run for too long.
  func idle(within limit: Countdown) async -> Wait.Outcome

  /// Waits until something finishes a wait, or until that is too late: in a schedule, when only time passes,
  /// or when nothing that could finish it can run.
  func outcome(of wait: Wait, within limit: Countdown) async -> Wait.Outcome

  /// Says when such a wait times out.
  func textOfTimeout(after limit: Duration) -> String
}

extension TestProgress {
  /// Waits like `outcome(of:within:)`, but ends at once when the waiting task is canceled.
  package func outcomeUnlessCancelled(
    of wait: Wait, within limit: Countdown
  ) async -> Wait.Outcome {
    await withTaskCancellationHandler {
      await outcome(of: wait, within: limit)
    } onCancel: {
      wait.finish(.cancelled)
    }
  }
}
