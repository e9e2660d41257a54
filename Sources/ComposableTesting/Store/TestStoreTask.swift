internal import ComposableReducers

/// The effects that an action started in a store for tests.
///
/// ```swift
/// let timer = await store.send(.startTimer)
/// await clock.advance(by: .seconds(1))
/// await store.receive(.ticked)
/// await timer.cancel()  // Nothing is running when the test ends.
/// ```
public struct TestStoreTask: Sendable {
  let task: StoreTask
  /// Waits for the end, within the store's timeout.
  let waitForEnd: @Sendable () async -> Void

  /// Waits for every effect that the action started, including those started by their actions.
  ///
  /// An effect that hangs fails the test. This call then returns after the store's timeout, or after
  /// a moment if all effects sleep on the test's clock. If the waiting task is cancelled, the effects
  /// are, too.
  public func finish() async {
    await withTaskCancellationHandler {
      await waitForEnd()
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels every effect that the action started, and waits until they have ended.
  ///
  /// From then on, the store ignores the actions of these effects.
  public func cancel() async {
    task.cancel()
    await finish()
  }

  /// Not available: ``cancel()`` waits in a test.
  @available(*, unavailable, renamed: "cancel()")
  public func cancelAndFinish() async {}
}
