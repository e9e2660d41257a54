/// Operations on stores, one after the other.
///
/// Numbers of lanes and actions are unique in a program: each run and each action occurs once.
struct Program: Sendable {
  var stores: [StoreSpec]
  var operations: [Operation]
}

/// How to create a store.
struct StoreSpec: Sendable {
  var isObservable: Bool
  /// The overrides of the scope that creates the store.
  var surroundings: Overrides
  /// The overrides on the root environment's derived child.
  var childOverrides: Overrides
  var root: Feature
}

/// A step of a program.
enum Operation: Sendable {
  case send(store: Int, path: Path, ActionSpec, from: Overrides)
  /// Lets a waiting run continue.
  case open(Int)
  /// Cancels the effects of a sent action.
  case cancelTask(Int)
  /// Waits in a separate task for all effects of a sent action.
  case finish(Int)
  /// Cancels a waiting task.
  case cancelFinish(Int)
  case advance(Int)
  case readState(store: Int)
  /// Ends a store, and waits in a separate task.
  case end(store: Int)
  /// Releases a store while effects may be running.
  case drop(store: Int)
}

/// Values for the keys `a` to `d`, by their number.
typealias Overrides = [Int: Int]

/// A feature's place: the children's numbers from the root, with the identifiers of elements.
struct PathStep: Hashable, Sendable {
  var child: Int
  var element: Int?
}
typealias Path = [PathStep]

/// One feature of the tree: its environment, how it is part of its parent, its children.
struct Feature: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// Captures a scope.
    case composable
    /// Captures none.
    case global
    /// Not an environment of the library.
    case plain
  }

  enum Link: CaseIterable, Sendable {
    case property, optional, enumCase, identifiedArray, dictionary
  }

  enum Source: Sendable {
    /// Created by the pullback, in the parent's scope.
    case made
    /// Named: derived from the parent's environment, with more overrides.
    case named(Overrides)
    /// The parent's own environment, because the feature is the parent's.
    case same
  }

  var kind: Kind
  var link: Link
  var source: Source
  var children: [Feature] = []
  /// How the feature contains itself, if it does.
  ///
  /// Then its last child is itself, except at the bottom.
  var recursion: Link?

  /// Lets the feature contain itself, down to a number of levels.
  mutating func recur(by link: Link, levels: Int) {
    var below = self
    (below.link, below.source) = (link, .same)
    if levels > 1 { below.recur(by: link, levels: levels - 1) } else { below.recursion = link }
    recursion = link
    children.append(below)
  }
}

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
    var action: SentAction?
    /// Whether the cause of the run is cancelled while the action is on its way to the store.
    var isOvertaken = false
    /// The part that begins here, and runs beside the following steps.
    var part: Part?
  }

  /// A part that an identifier cancels.
  ///
  /// The run ends after its parts.
  struct Part: Sendable {
    var run: RunSpec
    var id: Identifier
    var cancelInFlight: Bool
  }
}

/// Identifiers of several types, which never equal each other.
enum Identifier: Hashable, Sendable {
  case number(Int)
  case name(Int)

  var value: any Hashable & Sendable {
    switch self {
    case .number(let number): number
    case .name(let number): "\(number)"
    }
  }
}

/// The pause of a debounced effect, and the interval of a throttle.
let pause = 10
