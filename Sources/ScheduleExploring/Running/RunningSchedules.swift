internal import ComposableDependencies
internal import Synchronization
internal import TestClocks

/// The schedules that run in this process, by their threads and their unstructured tasks.
///
/// A task without an executor of its own belongs to the schedule that has created it.
final class RunningSchedules: Sendable {
  static let shared = RunningSchedules()

  private struct Running {
    let run: ScheduleRun
    let executor: TestExecutor
  }

  private struct State {
    var threads: [RunningThread: Running] = [:]
    var tasks: [UInt64: Running] = [:]
  }

  private let state = Mutex(State())
  /// Whether no schedule runs, and none has unstructured tasks.
  private let isIdle = Atomic(true)

  private func update<R>(_ change: (inout State) -> R) -> R {
    state.withLock { state in
      defer {
        isIdle.store(state.threads.isEmpty && state.tasks.isEmpty, ordering: .relaxed)
      }
      return change(&state)
    }
  }

  /// Begins to run jobs of a schedule on this thread.
  func begin(_ run: ScheduleRun, on executor: TestExecutor) {
    update { $0.threads[.current] = Running(run: run, executor: executor) }
  }

  /// Ends to run jobs on this thread.
  func end() {
    update { $0.threads[.current] = nil }
  }

  /// Lets the unstructured tasks of a schedule run elsewhere from now on.
  func releaseTasks(of run: ScheduleRun) {
    update { state in
      state.tasks = state.tasks.filter { $0.value.run !== run }
    }
  }

  /// Takes a job that has no executor of its own, if it belongs to a schedule.
  func take(_ job: UnownedJob) -> Bool {
    if isIdle.load(ordering: .relaxed) { return false }
    let task = JobKind(job) == .task ? TaskID.of(job) : nil
    let (running, isOlder) = update { state -> (Running?, Bool) in
      guard let running = state.threads[.current] else {
        return (task.flatMap { state.tasks[$0] }, false)
      }
      guard let task else { return (running, false) }
      // Task identifiers count up.
      let isOlder = running.run.isNewer(than: task)
      if !isOlder { state.tasks[task] = running }
      return (running, isOlder)
    }
    guard let running else { return false }
    if isOlder {
      running.run.state.withLock {
        $0.noteDeparture("resumes a task that is older than the schedule")
      }
      return false
    }
    running.run.state.withLock { $0.hasUnstructuredTasks = true }
    running.executor.enqueue(ExecutorJob(job))
    return true
  }

  /// Records that the running job lets something run on the main actor, if it belongs to a schedule.
  func noteMainActor() {
    if isIdle.load(ordering: .relaxed) { return }
    state.withLock { $0.threads[.current] }?.run.state.withLock { $0.noteMainActor() }
  }
}
