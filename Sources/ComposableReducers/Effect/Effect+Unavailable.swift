// Names of The Composable Architecture that newcomers type first.
extension Effect {
  /// Use ``send(_:)``.
  @available(*, unavailable, message: "Use 'Effect.send(action)'.")
  public init(value: Action) {
    self = .none
  }

  /// Use ``run(priority:operation:catch:fileID:line:)``.
  @available(
    *, unavailable, message: "Use '.run { send in await send(…) }', with 'catch:' for errors."
  )
  public static func task(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async throws -> Action,
    catch handler: (@Sendable (any Error) async -> Action)? = nil
  ) -> Effect {
    .none
  }

  /// Use ``run(priority:operation:catch:fileID:line:)``.
  @available(*, unavailable, message: "Use '.run { _ in … }'.")
  public static func fireAndForget(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Void
  ) -> Effect {
    .none
  }

  /// Use `merge`.
  @available(*, unavailable, message: "Use '.merge(effect, other)'.")
  public func merge(with other: Effect) -> Effect { .none }

  /// Use `concatenate`.
  @available(*, unavailable, message: "Use '.concatenate(effect, other)'.")
  public func concatenate(with other: Effect) -> Effect { .none }

  /// Use ``cancel(id:)``.
  @available(*, unavailable, message: "Use '.merge(ids.map { .cancel(id: $0) })'.")
  public static func cancel(ids: [some Hashable & Sendable]) -> Effect { .none }
}
