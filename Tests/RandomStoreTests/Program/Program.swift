/// What is done to stores, one thing after the other.
///
/// All numbers of lanes and actions are unique in a program: each run and each action happens once.
struct Program: Sendable {
  var stores: [StoreSpec]
  var operations: [Operation]
}

/// How a store is made.
struct StoreSpec: Sendable {
  var isObservable: Bool
  /// What is overridden where the store is made.
  var surroundings: Overrides
  /// What is set on the root environment's derived child.
  var childOverrides: Overrides
  var root: Feature
}

/// What one step of a program does.
enum Operation: Sendable {
  case send(store: Int, path: Path, ActionSpec, from: Overrides)
  /// Lets one of the runs that wait go on.
  case open(Int)
  /// Cancels what one of the sent actions has started.
  case cancelTask(Int)
  /// Waits, in a task of its own, for all that one of the sent actions has started.
  case finish(Int)
  /// Cancels one of the tasks that wait.
  case cancelFinish(Int)
  case advance(Int)
  case readState(store: Int)
  /// Lets go of a store while things may be under way.
  case drop(store: Int)
}

/// Values for the keys `a` to `d`, by their number.
typealias Overrides = [Int: Int]

/// Where a feature is: the numbers of children from the root on, with the identifiers of elements.
struct PathStep: Hashable, Sendable {
  var child: Int
  var element: Int?
}
typealias Path = [PathStep]
