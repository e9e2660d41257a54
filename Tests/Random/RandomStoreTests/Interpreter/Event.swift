/// An observable event of a program.
enum Event: Hashable, Sendable {
  /// A reducer ran. An `echo` is the root's reducer, for an action of a child.
  case reduced(store: Int, action: Int, isEcho: Bool, tags: Int, Reading, isRacing: Bool)
  /// The root received a child's action, whether the child exists or not.
  case passed(store: Int, action: Int)
  case lane(Int, LaneEvent)
  case sleeps(until: Int)
  /// The task that waited for an action's effects continues.
  case finished(waiter: Int, runsUnderWay: Int)
  /// The closure of a run is freed.
  case released(lane: Int)
  case state(store: Int, String)
  /// The state of a store is freed.
  case gone(store: Int)

  /// The stream in which events are ordered; `nil` for unordered events.
  var stream: Stream? {
    switch self {
    case .reduced(let store, _, _, _, _, isRacing: false): .store(store)
    case .lane(let lane, _): .lane(lane)
    default: nil
    }
  }
}

enum LaneEvent: Hashable, Sendable {
  case starts(Reading)
  /// The reads during the hop, and after it.
  case goesOn(step: Int, during: Reading, after: Reading, isCancelled: Bool)
  case hasSent(action: Int, isReduced: Bool)
  case isCancelled(Reading, knowsIt: Bool)
  case hasCaught(Reading)
  case ends
}

enum Stream: Hashable {
  case store(Int)
  case lane(Int)
}

/// The values of the keys `a` to `d`, and of one whose default is computed from `a`.
struct Reading: Hashable, Sendable {
  var values: [Int]

  init(_ overrides: Overrides) {
    values = (0..<4).map { overrides[$0] ?? $0 + 1 }
    values.append(values[0] * 2)
  }

  init(values: [Int]) {
    self.values = values
  }
}
