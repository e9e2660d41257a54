internal import Synchronization

/// The executors of the tests that run in this process, by their threads and their unstructured
/// tasks.
///
/// A task without an executor of its own belongs to the test whose job has created it.
package final class RunningExecutors: Sendable {
  package static let shared = RunningExecutors()

  private struct Owner {
    weak let executor: TestExecutor?
  }

  private struct State {
    var owners: [UInt64: Owner] = [:]
    /// The unstructured tasks of each executor, some of which may have ended.
    var tasks: [ObjectIdentifier: [UInt64]] = [:]
  }

  private let state = Mutex(State())
  /// Whether no test has unstructured tasks.
  private let isEmpty = Atomic(true)
  private let thread = ThreadLocal<TestExecutor>()

  /// The executor whose job this thread runs, if that job's tasks belong to a test.
  package var current: TestExecutor? { thread.value }

  /// Calls a function as a part of a test's job, or of none.
  package func with<R>(_ executor: TestExecutor?, _ function: () -> R) -> R {
    let before = thread.value
    thread.value = executor
    defer { thread.value = before }
    return function()
  }

  /// Lets the unstructured tasks of a test run elsewhere from now on.
  package func releaseTasks(of executor: TestExecutor) {
    if isEmpty.load(ordering: .relaxed) { return }
    state.withLock { state in
      for task in state.tasks.removeValue(forKey: ObjectIdentifier(executor)) ?? [] {
        state.owners[task] = nil
      }
      isEmpty.store(state.owners.isEmpty, ordering: .relaxed)
    }
  }

  /// Takes a job that has no executor of its own, if it belongs to a test.
  func take(_ job: UnownedJob) -> Bool {
    let here = current
    if here == nil, isEmpty.load(ordering: .relaxed) { return false }
    let task = JobKind(job) == .task ? TaskID.of(job) : nil
    guard let here else {
      let owner = task.flatMap { task in state.withLock { $0.owners[task]?.executor } }
      owner?.enqueue(ExecutorJob(job))
      return owner != nil
    }
    if let task {
      // The job resumes a task that isn't the test's. Task identifiers count up.
      guard here.owns(task) else {
        here.order.noteDeparture("resumes a task that is older than the test")
        return false
      }
      state.withLock { state in
        guard state.owners.updateValue(Owner(executor: here), forKey: task) == nil else { return }
        state.tasks[ObjectIdentifier(here), default: []].append(task)
        isEmpty.store(false, ordering: .relaxed)
      }
    }
    here.enqueue(ExecutorJob(job))
    return true
  }
}
