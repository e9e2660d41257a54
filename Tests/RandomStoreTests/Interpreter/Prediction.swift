/// An operation in which every choice is made, and what it must lead to.
struct PredictedStep: Sendable {
  enum Action: Sendable {
    case send(store: Int, path: Path, ActionSpec, from: Overrides)
    case open(lane: Int)
    case cancelTask(Int)
    case finish(task: Int, waiter: Int)
    case cancelFinish(waiter: Int)
    case advance(Int)
    case readState(store: Int)
    case drop(store: Int)
  }

  var action: Action
  var events: [Event] = []
  /// What runs may also have done that were cancelled before it is certain that they started: for
  /// each, all of this or nothing.
  var optionalEvents: [Int: [Event]] = [:]
}

/// All that must be observed when a program is run.
struct Prediction: Sendable {
  var steps: [PredictedStep] = []
  var issues = 0
  var coverage = Coverage()
}
