/// What an action that was sent to a store has caused.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  /// Nothing where the action had no effects.
  @usableFromInline let flight: Flight?

  @inlinable
  init(flight: Flight?) {
    self.flight = flight
  }

  /// Waits for every effect that the action started, and for those that their actions started.
  ///
  /// Where the waiting task is cancelled, so are the effects; it then waits until they have ended.
  /// So a view's task that sends an action and waits takes the effects with it when it goes.
  public func finish() async {
    await withTaskCancellationHandler {
      await flight?.finish()
    } onCancel: {
      cancel()
    }
  }

  /// Cancels every effect that the action started, and those that their actions start.
  ///
  /// Actions that they have sent already are reduced.
  public func cancel() {
    flight?.cancel()
  }
}
