/// What happens in a program that can be observed.
enum Event: Hashable, Sendable {
  /// A reducer ran. An `echo` is that of the root, for an action of a child.
  case reduced(store: Int, action: Int, isEcho: Bool, tags: Int, Reading, isRacing: Bool)
  /// The root was given an action of a child, be the child there or not.
  case passed(store: Int, action: Int)
  case lane(Int, LaneEvent)
  case sleeps(until: Int)
  /// The task that waited for what an action has started goes on.
  case finished(waiter: Int, runsUnderWay: Int)
  /// The closure of a run is freed.
  case released(lane: Int)
  case state(store: Int, String)
  /// The state of a store is freed.
  case gone(store: Int)

  /// What has an order among themselves; nothing for what has none.
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
  /// What was read during the hop, and after it.
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

/// The values of the keys `a` to `d`, and of one whose default is made from `a`.
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
