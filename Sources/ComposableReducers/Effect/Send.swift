internal import Synchronization

/// A function that sends actions from an effect back to the store.
///
/// ```swift
/// .run { send in
///   await send(.started)
///   await withTaskGroup { group in
///     for file in files { group.addTask { await send(.loaded(file.load())) } }
///   }
/// }
/// ```
public struct Send<Action: Sendable>: Sendable {
  let effect: RunningEffect

  init(_ effect: RunningEffect) {
    self.effect = effect
  }

  /// Whether the effect was canceled.
  ///
  /// The store ignores what a canceled effect sends.
  public var isCancelled: Bool { effect.isCancelled }

  /// Sends an action, and returns after it is reduced.
  ///
  /// The store ignores the action if the effect is canceled before the store begins to reduce it, or
  /// if the store is gone.
  ///
  /// Send actions only until the effect's operation returns. A later action, for example from a
  /// `Task { }`, is still reduced, but `finish()` may not wait for it, and an issue is reported.
  public func callAsFunction(_ action: Action) async {
    await effect.send(action)
  }
}

extension Send {
  /// Runs a part of an effect that an identifier can cancel.
  ///
  /// ```swift
  /// .run { send in
  ///   for file in files {
  ///     try? await send.withTaskCancellation(id: file.id) { send in
  ///       try await send(.loaded(file.download()))
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Here, `.cancel(id: file.id)` skips a file: the effect continues with the next one.
  ///
  /// The operation runs in its own task, which is canceled with the effect or by
  /// ``Effect/cancel(id:)``. From then on, the store reduces no action that the operation sends
  /// with the ``Send`` passed to it.
  ///
  /// - Parameters:
  ///   - id: The identifier; several effects can share it.
  ///   - cancelInFlight: Whether to first cancel effects that already run under the identifier.
  ///   - operation: The work.
  /// - Returns: The result of the operation; this call waits for it.
  public func withTaskCancellation<Result: Sendable>(
    id: some Hashable & Sendable,
    cancelInFlight: Bool = false,
    operation: @escaping @Sendable (Send) async throws -> Result
  ) async throws -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let (part, task) = effect.startPart(EffectID(id), cancelInFlight: cancelInFlight) { part in
      let outcome: Swift.Result<Result, any Error>
      do {
        outcome = .success(try await operation(Send(part)))
      } catch {
        outcome = .failure(error)
      }
      result.withLock { $0 = outcome }
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      part.cancel()
    }
    return try result.withLock { $0! }.get()
  }
}
