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
