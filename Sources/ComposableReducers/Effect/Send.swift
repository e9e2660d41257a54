/// Sends actions from an effect back to the store.
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
  private let deliver: @Sendable (Action) async -> Void
  private let checkIsCancelled: @Sendable () -> Bool

  init(
    isCancelled: @escaping @Sendable () -> Bool,
    deliver: @escaping @Sendable (Action) async -> Void
  ) {
    self.checkIsCancelled = isCancelled
    self.deliver = deliver
  }

  /// Whether the effect was cancelled: what is sent from now on is ignored.
  public var isCancelled: Bool { checkIsCancelled() }

  /// Sends an action, and returns when it has been reduced.
  ///
  /// An action that is sent before the effect is cancelled is reduced, whatever happens meanwhile; one
  /// that is sent afterwards, or when the store is gone, is ignored.
  public func callAsFunction(_ action: Action) async {
    guard !isCancelled else { return }
    await deliver(action)
  }

  func map<Other>(_ transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    Send<Other>(isCancelled: checkIsCancelled) { await deliver(transform($0)) }
  }
}
