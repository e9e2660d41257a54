/// The work that an action causes, which may send more actions.
///
/// An effect is a value, and does nothing until a store starts it. It runs in the scope of the
/// reducer that returned it: at its start, after every suspension, on any actor, and when it is
/// canceled. The store reduces the actions that it sends in the store's own scopes. An effect
/// inherits all other task-local values from the task that sent the action.
///
/// You can nest effects to any depth. Starting an effect takes time in proportion to the number of its
/// parts. An identifier of a part adds a step for each pullback around its reducer. Sending an action
/// takes time in proportion to the number of maps around the effect.
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

  /// Whether the effect does nothing.
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
  /// The store reduces the action after those that already wait, and before its `send` returns.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Returns an effect that runs an asynchronous operation in its own task.
  ///
  /// ```swift
  /// return .run { send in
  ///   for try await location in environment.locations() {
  ///     await send(.moved(location))
  ///   }
  /// } catch: { error, send in
  ///   await send(.failed("\(error)"))
  /// }
  /// ```
  ///
  /// The operation runs in its reducer's scope. An override around this call doesn't reach it, which a
  /// debug build reports. Override dependencies inside the operation instead.
  ///
  /// The operation may send any number of actions. Cancellation is cooperative, as in every task.
  /// The effect ignores an error that the operation throws because it was canceled. Any other
  /// error goes to `handler`; without a handler, an issue with the place of this call is reported.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; by default, the priority of the task that sent the
  ///     action.
  ///   - operation: The work.
  ///   - handler: Handles an error.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public static func run(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Effect {
    let place = SourcePlace(fileID: fileID, line: line)
    ReducerScope.checkCreation(at: place)
    return Effect(
      .run(
        EffectRun(priority: priority, place: place) { effect in
          do {
            try await operation(Send(effect))
          } catch {
            if error is CancellationError || effect.isCancelled { return }
            guard let handler else { return reportUncaught(error, at: place) }
            await handler(error, Send(effect))
          }
        }))
  }

  /// Runs effects side by side.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Runs effects side by side.
  public static func merge(_ effects: [Effect]) -> Effect {
    let nodes = effects.compactMap { $0.node }
    return nodes.count > 1 ? Effect(.merge(nodes)) : Effect(node: nodes.first)
  }

  /// Runs effects one after the other.
  ///
  /// Each part starts when the one before it has ended and its actions are reduced. It doesn't wait
  /// for effects that these actions start. A canceled sequence starts no more parts.
  ///
  /// An identifier of a part cancels only that part, and only while it runs. To cancel the parts that
  /// haven't started, make the whole sequence ``cancellable(id:cancelInFlight:)``.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Runs effects one after the other.
  ///
  /// Each part starts when the one before it has ended and its actions are reduced. It doesn't wait
  /// for effects that these actions start. A canceled sequence starts no more parts.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    let nodes = effects.compactMap { $0.node }
    return nodes.count > 1 ? Effect(.concatenate(nodes)) : Effect(node: nodes.first)
  }

  /// Transforms the actions that an effect sends.
  ///
  /// The closure runs in the scope of the reducer, like the effect.
  public func map<NewAction>(
    _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    map(inScope: true, transform)
  }

  /// Turns the actions of a child's effect into its parent's.
  @usableFromInline
  func embedded<NewAction>(
    _ embed: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    map(inScope: false, embed)
  }

  private func map<NewAction>(
    inScope: Bool, _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    guard let node else { return .none }
    if case .send(let action) = node.kind { return .send(transform(action as! Action)) }
    return Effect<NewAction>(.mapped(node, inScope: inScope) { transform($0 as! Action) })
  }

  /// Returns the same effect in a scope; parts that already have a scope keep it.
  @usableFromInline
  func scoped(to scope: DependencyScope) -> Effect {
    switch node?.kind {
    case nil, .send, .cancel: self
    case .some: Effect(.scoped(node!, scope))
    }
  }

  /// Wraps an effect that does something, so that no closures are made for one that doesn't.
  @inlinable
  func wrapped<NewAction>(_ wrap: (Effect) -> Effect<NewAction>) -> Effect<NewAction> {
    isNone ? .none : wrap(self)
  }
}

private func reportUncaught(_ error: any Error, at place: SourcePlace) {
  // An unimplemented closure has reported its error already.
  if error is DependencyIssue { return }
  DependencyIssue(
    problem: "An effect threw an error that it doesn't catch: \(error).",
    remedy: "`.run { send in … } catch: { error, send in … }`.",
    at: place
  ).report()
}

extension Effect {
  /// Makes this effect cancellable with an identifier.
  ///
  /// An identifier belongs to the child whose reducer returned the effect: siblings, parents and other
  /// stores have their own. Identifiers are compared by type and value: `1` and `UInt8(1)` are different.
  ///
  /// - Parameters:
  ///   - id: The identifier; several effects can share it.
  ///   - cancelInFlight: Whether to first cancel effects that already run under the identifier.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    // An effect that does nothing may still cancel others.
    guard let node = node ?? (cancelInFlight ? EffectNode(.merge([])) : nil) else { return .none }
    return Effect(.cancellable(node, EffectID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels every effect of this child, and of those below it, that runs under an identifier.
  ///
  /// The store cancels the tasks of these effects immediately, along with their child tasks. From
  /// then on, it reduces no action of these effects, even if an effect already sent it. A task that
  /// hasn't begun yet runs, canceled, as every task does.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }
}
