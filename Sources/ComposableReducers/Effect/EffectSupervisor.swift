/// Says where the effects of a store run, and is told of each task of theirs.
///
/// A test's store has one; where there is none, effects run as tasks do, and nobody is told.
@usableFromInline
package protocol EffectSupervisor: AnyObject, Sendable {
  /// Where the tasks run.
  var executor: any TaskExecutor { get }

  /// Is told of a task before it starts, by whoever starts it.
  func willStart(_ task: ObjectIdentifier, of origin: EffectOrigin)

  /// Is told, in a task, that it is about to end: what it has sent is reduced.
  func didFinish(_ task: ObjectIdentifier)
}

/// Where an effect comes from.
@usableFromInline
package struct EffectOrigin: Sendable {
  /// The action that a reducer returned it for, as its store knows it.
  package let action: any Sendable

  /// Where its parts that take time were made.
  package let places: [EffectPlace]
}

/// Where an effect was made.
@usableFromInline
package struct EffectPlace: Sendable {
  package let fileID: StaticString
  package let line: UInt
}

/// An action that is kept for the supervisor, in one word.
final class EffectCause<Action: Sendable>: Sendable {
  let action: Action

  init(_ action: Action) {
    self.action = action
  }
}

extension Effect {
  /// Where the parts were made that take time.
  var places: [EffectPlace] {
    switch operation {
    case .none, .send, .cancel: []
    case .run(let run): [run.place]
    case .merge(let effects), .concatenate(let effects): effects.flatMap(\.places)
    case .scoped(let effect, _), .cancellable(let effect, _, _), .throttled(let effect, _, _):
      effect.places
    }
  }
}
