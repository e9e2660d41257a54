internal import Dispatch
internal import Synchronization

/// The time that a test gives to something that may never happen.
///
/// Several waits can share it.
///
/// Only time in which the tasks of the process and of the main actor get to run counts, because
/// what a test waits for may need either, while other tests keep them busy.
package final class TimeLimit: Sendable {
  private struct State {
    var nextStep: DispatchTime
    var job = JobAge()
    var isUp = false
  }

  private let state: Mutex<State>
  private let steps: Int
  private let step: DispatchTimeInterval
  private let executor: TestExecutor?
  private let countdowns: [Countdown]

  /// A separate thread, so that time passes even if tests occupy all others.
  private static let timers = DispatchQueue(label: "TimeLimit")

  /// - Parameters:
  ///   - limit: How long the test waits.
  ///   - executor: The executor to wait for, if any. A job that blocks it until the time is up is
  ///     abandoned.
  package init(_ limit: Duration, on executor: TestExecutor?) {
    steps = Countdown.steps(of: limit)
    step = .nanoseconds(max(limit.nanoseconds / steps, 1))
    self.executor = executor
    state = Mutex(State(nextStep: .now() + step))
    let priority = Task.currentPriority
    countdowns = [
      Countdown(of: limit) { job in Task.detached(priority: priority) { job() } },
      // If the main actor never runs again, the test gives up earlier.
      Countdown(of: limit, atMost: 10) { job in
        Task.detached(priority: priority) { @MainActor in job() }
      },
    ]
  }

  /// Waits until something ends the wait, or until the time is up.
  ///
  /// Only one task at a time may call it.
  package func outcome(of wait: Wait) async -> Wait.Outcome {
    if let run = TestScope.testRun?.executor.explored { return await run.outcome(of: wait) }
    return await outcome(inRealTimeOf: wait)
  }

  /// Returns the outcome of a wait, in a test without explored schedules.
  func outcome(inRealTimeOf wait: Wait) async -> Wait.Outcome {
    if let outcome = wait.outcome { return outcome }
    if isUp { wait.end(.timedOut) }
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { self.count(for: wait) }
    timer.schedule(deadline: state.withLock { $0.nextStep }, repeating: step)
    timer.activate()
    defer { timer.cancel() }
    return await wait.end()
  }

  private var isUp: Bool { state.withLock { $0.isUp } }

  private func count(for wait: Wait) {
    let running = executor?.runningJob
    // Not `contains`, which would stop at the first countdown that has steps left.
    let isUp = countdowns.map { $0.step() }.allSatisfy { $0 }
    let job = state.withLock { state in
      state.nextStep = state.nextStep + step
      state.isUp = isUp
      state.job.count(running)
      return state.job
    }
    guard isUp else { return }
    let isOld = job.steps >= steps / 2
    // A busy machine may simply not run its thread. The next steps decide.
    if isOld, !job.isLong { return }
    executor?.forget(wait, abandoning: isOld ? job.number : nil)
    wait.end(.timedOut)
  }
}

extension Duration {
  /// Saturates at the largest value.
  var nanoseconds: Int {
    let (nanoseconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? .max : Int(nanoseconds) + Int(components.attoseconds / 1_000_000_000)
  }
}
