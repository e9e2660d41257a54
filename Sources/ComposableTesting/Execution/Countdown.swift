internal import Synchronization

/// Counts the steps of a time that is given to something, as far as tasks get to run in it.
///
/// On a busy machine, a task may take seconds until it runs, and nothing hangs yet. So each step
/// starts a task, and the next one counts only when that has run. Where none ever runs, the time is
/// up after a hundred times as many steps.
final class Countdown: Sendable {
  /// How many steps the time has.
  static let steps = 10

  private struct State {
    var left = Countdown.steps
    var leftAtMost = 100 * Countdown.steps
    var taskHasRun = true
  }

  private let state = Mutex(State())
  private let startTask: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter startTask: Starts a task like those that something is waited for from.
  init(startTask: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.startTask = startTask
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
