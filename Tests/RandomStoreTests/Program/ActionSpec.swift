/// An action: what its reducer does.
struct ActionSpec: Sendable {
  var id: Int
  /// Whether others may be sent at the same time; it then has no effect, and does nothing else.
  var isRacing = false
  /// The child that comes, if it is away, or else goes.
  var toggledChild: Int?
  var effect: EffectSpec = .none
  /// What the root returns besides, where the action is one of a child's.
  var echo: EffectSpec = .none
}

/// What a feature sends: to itself, or to a descendant.
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

/// An asynchronous run: it waits before each step until it may go on, and reads its scope there.
struct RunSpec: Sendable {
  var lane: Int
  /// Whether it waits on though it is cancelled.
  var isStubborn: Bool
  /// Whether it throws in the end, and has a handler that sends this.
  var caught: SentAction?
  var steps: [Step]

  struct Step: Sendable {
    var hop: Hop
    var action: SentAction?
  }

  enum Hop: CaseIterable, Sendable {
    case none, yield, actor, mainActor, child, task
  }
}

/// Identifiers of several types, which are never the same.
enum Identifier: Hashable, Sendable {
  case number(Int)
  case name(Int)
}

/// How long a debounced effect waits, and how long a throttle's interval is.
let pause = 10
