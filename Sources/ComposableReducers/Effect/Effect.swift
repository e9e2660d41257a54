/// What an action causes besides the change of state: work that may send further actions.
///
/// An effect is a value, and does nothing until a store starts it. It runs in the scope in which the
/// reducer that returned it ran: at its start, after every suspension, on whichever actor, and when it
/// is cancelled. The actions that it sends are reduced in the store's own scopes again. Task-locals
/// that are not this library's it has from the task that sent the action.
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline
  indirect enum Operation: Sendable {
    case none
    case send(Action)
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case scoped(Effect, DependencyScope)
    case cancellable(Effect, id: EffectID, cancelInFlight: Bool)
    case cancel(id: EffectID)
    case throttled(Effect, id: EffectID, Throttling)
  }

  @usableFromInline
  struct Run: Sendable {
    let priority: TaskPriority?
    let place: EffectPlace
    let operation: @Sendable (Send<Action>) async -> Void
  }

  @usableFromInline let operation: Operation

  @inlinable
  init(operation: Operation) {
    self.operation = operation
  }

  /// Whether it is certain that the effect does nothing.
  @inlinable
  var isNone: Bool {
    if case .none = operation { true } else { false }
  }

  /// Whether the effect has ended once it is started, and sends nothing.
  var isInstantaneous: Bool {
    switch operation {
    case .none, .cancel: true
    default: false
    }
  }
}

extension Effect {
  /// Nothing.
  @inlinable
  public static var none: Effect {
    Effect(operation: .none)
  }

  /// Sends an action, which is reduced after those that wait already, before `send` of the store returns.
  @inlinable
  public static func send(_ action: Action) -> Effect {
    Effect(operation: .send(action))
  }

  /// Runs an asynchronous operation in a task of its own; it may send any number of actions.
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
  /// Cancellation is cooperative, as in every task. What the operation throws because it was cancelled
  /// is no error; any other error goes to `handler`, or, where there is none, is reported as an issue
  /// with the place of this call.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; by default, that of the task that sent the action.
  ///   - operation: The work.
  ///   - handler: What to do with an error.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public static func run(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Effect {
    Effect(
      operation: .run(
        Run(priority: priority, place: EffectPlace(fileID: fileID, line: line)) { send in
          do {
            try await operation(send)
          } catch is CancellationError {
          } catch  where send.isCancelled {
          } catch {
            guard let handler else {
              DependencyIssue(
                problem: "An effect threw an error that nobody catches: \(error).",
                remedy: "`.run { send in … } catch: { error, send in … }`.",
                fileID: fileID,
                line: line
              ).report()
              return
            }
            await handler(error, send)
          }
        }))
  }

  /// Runs effects side by side.
  @inlinable
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Runs effects side by side.
  @inlinable
  public static func merge(_ effects: [Effect]) -> Effect {
    effects.count > 1 ? Effect(operation: .merge(effects)) : effects.first ?? .none
  }

  /// Runs effects one after the other: each starts when the one before it has ended.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Runs effects one after the other: each starts when the one before it has ended.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    effects.count > 1 ? Effect(operation: .concatenate(effects)) : effects.first ?? .none
  }

  /// The same effect, with other actions.
  @inlinable
  public func map<NewAction>(
    _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    isNone ? .none : mapOperation(transform)
  }

  @usableFromInline
  func mapOperation<NewAction>(
    _ transform: @escaping @Sendable (Action) -> NewAction
  ) -> Effect<NewAction> {
    let operation: Effect<NewAction>.Operation =
      switch operation {
      case .none: .none
      case .send(let action): .send(transform(action))
      case .run(let run):
        .run(
          Effect<NewAction>.Run(priority: run.priority, place: run.place) { send in
            await run.operation(send.map(transform))
          })
      case .merge(let effects): .merge(effects.map { $0.map(transform) })
      case .concatenate(let effects): .concatenate(effects.map { $0.map(transform) })
      case .scoped(let effect, let scope): .scoped(effect.map(transform), scope)
      case .cancellable(let effect, let id, let cancelInFlight):
        .cancellable(effect.map(transform), id: id, cancelInFlight: cancelInFlight)
      case .cancel(let id): .cancel(id: id)
      case .throttled(let effect, let id, let throttling):
        .throttled(effect.map(transform), id: id, throttling)
      }
    return Effect<NewAction>(operation: operation)
  }

  /// The same effect, run in a scope, but for parts that have one already.
  @inlinable
  func scoped(to scope: BorrowedScope) -> Effect {
    switch operation {
    case .none, .send, .cancel: self
    default: Effect(operation: .scoped(self, scope.kept))
    }
  }
}
