internal import Synchronization

/// Counts steps of time in which tasks actually get to run.
///
/// On a busy machine, a task may take seconds to run without hanging. So each step starts a task,
/// and the next step counts only after that task has run. If no task ever runs, the time is up
/// after a multiple of the steps.
final class Countdown: Sendable {
  private struct State {
    var left: Int
    var leftAtMost: Int
    var taskHasRun = true
  }

  private let state: Mutex<State>
  private let startTask: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - limit: The time that is counted.
  ///   - factor: The multiple of the time after which it is up even if no task runs. A machine is
  ///     as busy when the limit is short, so the multiple is one of a test's usual limit at least.
  ///   - startTask: Starts a task like the ones that are waited for.
  init(
    of limit: Duration = TestRun.limit, atMost factor: Int = 100,
    startTask: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    let usual = max(TestRun.limit.nanoseconds / max(limit.nanoseconds, 1), 1)
    let steps = Self.steps(of: limit)
    state = Mutex(State(left: steps, leftAtMost: factor * usual * steps))
    self.startTask = startTask
  }

  /// The number of steps of a time: one for each millisecond, but 10 at least and 100 at most.
  ///
  /// On a busy machine, a task that is waited for gets about one turn in each step.
  static func steps(of limit: Duration) -> Int {
    min(max(limit.nanoseconds / 1_000_000, 10), 100)
  }

  /// Counts a step.
  ///
  /// - Returns: Whether the time is up.
  func step() -> Bool {
    let (isUp, hasCounted) = state.withLock { state in
      state.leftAtMost -= 1
      let hasCounted = state.taskHasRun
      if hasCounted {
        state.left -= 1
        state.taskHasRun = false
      }
      return (state.left <= 0 || state.leftAtMost <= 0, hasCounted)
    }
    if hasCounted, !isUp { startTask { self.state.withLock { $0.taskHasRun = true } } }
    return isUp
  }
}
