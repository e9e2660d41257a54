/// The effects that an action started in a store.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  /// The group of the action; `nil` if it has no effects.
  private let group: RunningEffect?

  init(_ group: RunningEffect?) {
    self.group = group
  }

  /// Waits for every effect that the action started, including those started by their actions.
  ///
  /// If the waiting task is cancelled, this call cancels the effects, and waits until they have
  /// ended. So a view's task that awaits an action cancels its effects when the view disappears.
  public func finish() async {
    await withTaskCancellationHandler {
      // Sound: the registry calls each closure once.
      unsafe await withUnsafeContinuation { end in whenFinished { unsafe end.resume() } }
    } onCancel: {
      cancel()
    }
  }

  /// Cancels every effect that the action started, including those that their actions start.
  ///
  /// From then on, the store ignores the actions of these effects, including those that it hasn't
  /// begun to reduce. To wait until the effects have ended, use ``cancelAndFinish()``.
  public func cancel() {
    group?.cancel()
  }

  /// Cancels every effect that the action started, and waits until they have ended.
  public func cancelAndFinish() async {
    cancel()
    await finish()
  }
}

extension StoreTask {
  /// The tasks of the effects that are under way, in the order in which they were made.
  package var effects: [ObjectIdentifier] {
    group.map { $0.registry.operations(of: $0) }?.map { ObjectIdentifier($0) } ?? []
  }

  /// Calls a closure when everything has ended, or is no longer waited for.
  package func whenFinished(_ notify: @escaping @Sendable () -> Void) {
    guard let group else { return notify() }
    group.registry.whenEmpty(group, notify)
  }
}
