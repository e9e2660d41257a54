/// An action: what its reducer does.
struct ActionSpec: Sendable {
  var id: Int
  /// Whether others may be sent concurrently.
  ///
  /// Then it has no effects, and does nothing else.
  var isRacing = false
  /// The child that is added if it is missing, or otherwise removed.
  var toggledChild: Int?
  var effect: EffectSpec = .none
  /// The additional effect that the root returns for a child's action.
  var echo: EffectSpec = .none
}

/// An action that a feature sends to itself or to a descendant.
struct SentAction: Sendable {
  var path: Path = []
  var action: ActionSpec
}

indirect enum EffectSpec: Sendable {
  case none
  case send(SentAction)
  case run(RunSpec)
  case merge([EffectSpec])
  case concatenate([EffectSpec])
  /// Marks the actions that the effect sends.
  case map(EffectSpec)
  case cancellable(EffectSpec, id: Identifier, cancelInFlight: Bool)
  case cancel(Identifier)
  case debounce(EffectSpec, id: Identifier)
  case throttle(EffectSpec, id: Identifier, latest: Bool)
}

/// An asynchronous run.
///
/// It waits for permission before each step, and reads its scope there.
struct RunSpec: Sendable {
  var lane: Int
  /// Whether it continues to wait when it is cancelled.
  var isStubborn: Bool
  /// The action that its handler sends if it throws at the end.
  var caught: SentAction?
  var steps: [Step]

  struct Step: Sendable {
    var hop: Hop
    var action: SentAction?
    /// Whether the cause of the run is cancelled while the action is on its way to the store.
    var isOvertaken = false
  }

  enum Hop: CaseIterable, Sendable {
    case none, yield, actor, mainActor, child, task
  }
}

/// Identifiers of several types, which never equal each other.
enum Identifier: Hashable, Sendable {
  case number(Int)
  case name(Int)
}

/// The pause of a debounced effect, and the interval of a throttle.
let pause = 10
