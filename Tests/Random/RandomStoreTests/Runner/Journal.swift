import Synchronization
import TestSupport

/// All events of a running program, in order, by step.
final class Journal: Sendable {
  private struct State {
    var step = 0
    var events: [[Event]] = [[]]
    /// The number of events still expected in this step.
    var missing = 0
    var waiting: Signal?
    var reduced: Set<Int> = []
    var runsUnderWay: [Int: Int] = [:]
  }

  private let state = Mutex(State())

  func record(_ event: Event) {
    state.withLock { state -> Signal? in
      state.events[state.step].append(event)
      if case .reduced(_, let action, isEcho: false, _, _, _) = event {
        state.reduced.insert(action)
      }
      state.missing -= 1
      return state.missing == 0 ? state.waiting : nil
    }?.raise()
  }

  func isReduced(_ action: Int) -> Bool {
    state.withLock { $0.reduced.contains(action) }
  }

  /// Begins a step that expects a number of events.
  func begin(_ step: PredictedStep) {
    state.withLock { state in
      state.step += 1
      state.events.append([])
      state.missing = step.events.count
      state.waiting = nil
    }
  }

  /// Returns the events of this step, when all expected ones have occurred or nothing more happens.
  func events(after limit: Duration) async -> [Event] {
    let signal = Signal()
    let isComplete = state.withLock { state in
      state.waiting = signal
      return state.missing <= 0
    }
    if !isComplete { _ = await signal.wait(atMost: limit) }
    return state.withLock { $0.events[$0.step] }
  }

  /// All events, by step; the first are those before the first step.
  var all: [[Event]] { state.withLock { $0.events } }
}

extension Journal {
  /// Counts the running effects of the program's actions.
  func runStarts() {
    state.withLock { $0.runsUnderWay[Cause.task ?? -1, default: 0] += 1 }
  }

  func runEnds() {
    state.withLock { $0.runsUnderWay[Cause.task ?? -1, default: 0] -= 1 }
  }

  func runsUnderWay(of task: Int) -> Int {
    state.withLock { $0.runsUnderWay[task, default: 0] }
  }
}
