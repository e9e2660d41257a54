import TestSupport

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
}

/// Everything that must be observed when a program runs.
struct Prediction: Sendable {
  var steps: [PredictedStep] = []
  var issues = 0
  var coverage = Coverage()
}
