/// The work that an action causes, which may send more actions.
///
/// An effect is a value, and does nothing until a store starts it. It runs in the scope of the
/// reducer that returned it: at its start, after every suspension, on any actor, and when it is
/// cancelled. The store reduces the actions that it sends in the store's own scopes. An effect
/// inherits all other task-local values from the task that sent the action.
///
/// Effects can be nested to any depth.
public struct Effect<Action: Sendable>: Sendable {
  /// `nil` if the effect does nothing.
  @usableFromInline let node: EffectNode?

  @usableFromInline
  init(node: EffectNode?) {
    self.node = node
  }

  init(_ kind: EffectNode.Kind) {
    node = EffectNode(kind)
  }

  /// Whether the effect certainly does nothing.
  @inlinable
  var isNone: Bool { node == nil }
}

extension Effect {
  /// An effect that does nothing.
  @inlinable
  public static var none: Effect {
    Effect(node: nil)
  }

  /// Returns an effect that sends an action.
  ///
  /// The store reduces the action before its `send` returns, after the actions that already wait.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Returns an effect that runs an asynchronous operation in its own task.
  ///
  /// ```swift
  /// return .run { send in
  ///   for await location in environment.locations() {
  ///     await send(.moved(location))
  ///   }
  /// } catch: { error, send in
  ///   await send(.failed("\(error)"))
  /// }
  /// ```
  ///
  /// The operation may send any number of actions. Cancellation is cooperative, as in every task.
  /// The effect ignores an error that the operation throws because it was cancelled. Any other
  /// error goes to `handler`; without a handler, an issue with the place of this call is reported.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; by default, the priority of the task that sent the
  ///     action.
  ///   - operation: The work.
  ///   - handler: Handles an error.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  @inlinable
  public static func run(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Effect {
    Effect(
      node: SendingRun(
        priority: priority, place: SourceLocation(fileID: fileID, line: line), operation: operation,
        handler: handler))
  }

  /// Runs effects side by side.
  @inlinable
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Runs effects side by side.
  @inlinable
  public static func merge(_ effects: [Effect]) -> Effect {
    Effect(node: EffectNode.combined(effects.compactMap(\.node), inOrder: false))
  }

  /// Combines effects, each of which starts after the previous one has ended.
  ///
  /// Actions that come first, as in `.concatenate(.send(a), .send(b), .run { … })`, are reduced before
  /// the store's `send` returns. The store starts the effect after them before it reduces them, so the
  /// reducer can cancel that effect. To start work after an action is reduced, send the action in the
  /// same `run`.
  @inlinable
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Runs effects one after the other: each starts when the one before it has ended.
  @inlinable
  public static func concatenate(_ effects: [Effect]) -> Effect {
    Effect(node: EffectNode.combined(effects.compactMap(\.node), inOrder: true))
  }

  /// Transforms the actions that an effect sends.
  @inlinable
  public func map<NewAction>(
    _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    isNone ? .none : mapNode(transform)
  }

  @usableFromInline
  func mapNode<NewAction>(
    _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    guard let node else { return .none }
    if case .send(let action) = node.kind { return .send(transform(action as! Action)) }
    return Effect<NewAction>(.mapped(node, ActionMap { transform($0 as! Action) }))
  }

  /// Combines two effects, which run concurrently.
  @usableFromInline
  func merged(with other: Effect) -> Effect {
    .merge(self, other)
  }

  /// Returns the same effect in a scope; parts that already have a scope keep it.
  @inlinable
  func scoped(to scope: BorrowedScope) -> Effect {
    isNone ? self : scopedNode(to: scope)
  }

  @usableFromInline
  func scopedNode(to scope: BorrowedScope) -> Effect {
    switch node?.kind {
    case nil, .send, .cancel: self
    case .some: node.map { Effect(.scoped($0, scope.kept)) } ?? self
    }
  }
}
