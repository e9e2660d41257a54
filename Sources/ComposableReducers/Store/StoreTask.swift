/// The effects that an action started in a store.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  /// `nil` if the action had no effects.
  @usableFromInline let flight: Flight?
  /// Waits instead of the flight, in a test's store.
  @usableFromInline let waitForEnd: (@Sendable (StoreTask) async -> Void)?

  @inlinable
  package init(flight: Flight?) {
    self.flight = flight
    waitForEnd = nil
  }

  /// The same task, for whose end a closure waits.
  package init(
    _ task: StoreTask, _ waitForEnd: @escaping @Sendable (StoreTask) async -> Void
  ) {
    flight = task.flight
    self.waitForEnd = waitForEnd
  }

  /// Waits for every effect that the action started, including those started by their actions.
  ///
  /// Where the waiting task is cancelled, so are the effects; it then waits until they have ended.
  /// So a view's task that sends an action and waits takes the effects with it when it goes.
  ///
  /// In a test's store, the test fails where an effect hangs, and this call returns. That takes the
  /// store's timeout, but only a moment if all of its effects sleep on the test's clock.
  public func finish() async {
    guard let waitForEnd else {
      await flight?.finish()
      return
    }
    await withTaskCancellationHandler {
      await waitForEnd(self)
    } onCancel: {
      cancel()
    }
  }

  /// Cancels every effect that the action started, including those that their actions start.
  ///
  /// From then on, the store ignores the actions of these effects, including those that it hasn't
  /// begun to reduce. To wait until the effects have ended, use ``cancelAndFinish()``.
  public func cancel() {
    flight?.cancel()
  }

  /// Cancels every effect that the action started, and waits until they have ended.
  ///
  /// ```swift
  /// let timer = await store.send(.startTimer)
  /// await clock.advance(by: .seconds(1))
  /// await store.receive(.ticked)
  /// await timer.cancelAndFinish()  // Nothing is running when the test ends.
  /// ```
  public func cancelAndFinish() async {
    cancel()
    await finish()
  }
}

extension StoreTask {
  /// The tasks of the effects that are under way, in the order in which they were made.
  package var effects: [ObjectIdentifier] { flight?.effects.map { ObjectIdentifier($0) } ?? [] }

  /// Calls a closure when everything has ended, or is no longer waited for.
  package func whenFinished(_ notify: @escaping @Sendable () -> Void) {
    guard let flight else { return notify() }
    flight.whenFinished(notify)
  }
}
