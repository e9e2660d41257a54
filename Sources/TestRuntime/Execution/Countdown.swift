internal import Dispatch
internal import Synchronization

/// The time that a test gives to something that may never happen.
///
/// Several waits can share it. On a busy machine, a task may take seconds to run without hanging. So
/// each step of the countdown starts a task that also visits the main actor and a thread that runs tests, and
/// the next step counts only after that, and while this package doesn't look up places for its messages.
/// If that never is, the time is up after a multiple of the usual limit.
package final class Countdown: Sendable {
  private struct State {
    var stepsLeft: Int
    var stepsLeftAtMost: Int
    var taskHasRun = true
    /// The moment of a schedule at which the first wait began.
    var start: Int?

    var isUp: Bool { stepsLeft <= 0 || stepsLeftAtMost <= 0 }
  }

  private let state: Mutex<State>
  private let step: DispatchTimeInterval
  private let priority = Task.currentPriority

  /// The multiple of the usual limit after which the time is up in any case.
  private static let slowest = 20
  /// A separate thread, so that time passes even if tests occupy all others.
  private static let timers = DispatchQueue(label: "Countdown")

  package init(_ limit: Duration) {
    let steps = min(max(limit / .milliseconds(1), 10), 100)
    step = .nanoseconds(Int(min(max(limit / .nanoseconds(1) / steps, 1), 1e18)))
    // A short limit doesn't make a busy machine faster, so this multiplies the usual limit.
    let usual = Int(min(max(TestRun.limit / limit, 1), 1e10))
    state = Mutex(
      State(stepsLeft: Int(steps), stepsLeftAtMost: Self.slowest * usual * Int(steps)))
  }

  /// Waits until something finishes the wait, or until the time is up.
  ///
  /// Only one task at a time may call it.
  package func outcome(of wait: Wait) async -> Wait.Outcome {
    if let outcome = wait.outcomeIfFinished { return outcome }
    if state.withLock({ $0.isUp }) { wait.finish(.timedOut) }
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler {
      if self.count(isPaused: SourceStack.isWorking) { wait.finish(.timedOut) }
    }
    timer.schedule(deadline: .now() + step, repeating: step)
    timer.activate()
    defer { timer.cancel() }
    return await wait.outcome()
  }

  /// Remembers the first of the moments at which a wait within the limit begins in a schedule.
  func begin(at moment: Int) -> Int {
    state.withLock { state in
      let start = state.start ?? moment
      state.start = start
      return start
    }
  }

  /// Counts a step.
  ///
  /// - Parameter isPaused: Whether only the multiple of the limit counts.
  /// - Returns: Whether the time is up.
  func count(isPaused: Bool) -> Bool {
    let (isUp, hasCounted) = state.withLock { state in
      state.stepsLeftAtMost -= 1
      let hasCounted = state.taskHasRun && !isPaused
      if hasCounted {
        state.stepsLeft -= 1
        state.taskHasRun = false
      }
      return (state.isUp, hasCounted)
    }
    if hasCounted, !isUp {
      Task.detached(priority: priority) {
        await MainActor.run {}
        WorkerThreads.shared.run { self.state.withLock { $0.taskHasRun = true } }
      }
    }
    return isUp
  }
}
