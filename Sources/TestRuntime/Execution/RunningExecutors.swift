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
  private let threads = ThreadLocal<JobThread>()
  /// Stands for no test, on threads that have a task of one.
  private let none = JobThread(of: nil)
  /// Tasks that code outside any test's scope has started or resumed.
  private let others = RecentTasks()

  /// The executor whose job this thread runs, if that job's tasks belong to a test.
  package var current: TestExecutor? { thread?.executor }

  /// What this thread does for a test, or for none.
  var thread: JobThread? { threads.value }

  /// Calls a function as a part of a test's job, or of none.
  package func with<R>(_ executor: TestExecutor?, _ function: () -> R) -> R {
    with(executor.map { JobThread(of: $0) } ?? none, function)
  }

  func with<R>(_ thread: JobThread, _ function: () -> R) -> R {
    let before = threads.value
    threads.value = thread
    defer { threads.value = before }
    return withExtendedLifetime(thread) { function() }
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
    let test =
      switch JobKind(job) {
      case .task: owner(of: job)
      case .actor where here == nil: job.firstTaskOfActor.flatMap { owner(of: $0) }
      // On an actor that tests share, this thread may run a task of another test, or of none.
      case .yield where here != nil:
        owner(of: TaskID.current) ?? (others.contains(TaskID.current) ? nil : here)
      case .actor, .yield, .other: here
      }
    if test !== here {
      here?.order.state.withLock { $0.noteDeparture("resumes a task that isn't the test's") }
    }
    test?.enqueue(ExecutorJob(job))
    return test != nil
  }

  /// The test that an unstructured task belongs to, which becomes ready here.
  func owner(of job: UnownedJob) -> TestExecutor? {
    let (task, here) = (TaskID.of(job), current)
    // A test's work elsewhere has its scope, and can start tasks of the test.
    if here == nil, TestRun.ofScope == nil { others.insert(task) }
    if let owner = owner(of: task) { return owner }
    guard let here else { return nil }
    // On an actor that tests share, this thread may run a task of another test.
    let test = thread?.runningTask == 0 ? here : TestRun.ofScope?.executor ?? here
    return owner(of: task, or: test)
  }

  /// The test that the running task belongs to, even if it has left the executor.
  fileprivate var ofTask: TestExecutor? {
    if let thread { return thread.executor }
    let task = TaskID.current
    if let owner = owner(of: task) { return owner }
    // A synchronous test of XCTest, which is on the main actor without a task.
    if task == 0, WatchedThread.isMain { return nil }
    return TestRun.ofScope?.executor
  }

  /// The test that an unstructured task belongs to, from now on if it has belonged to none.
  private func owner(of task: UInt64, or test: TestExecutor? = nil) -> TestExecutor? {
    if test == nil, isEmpty.load(ordering: .relaxed) { return nil }
    return state.withLock { state in
      // A task stays with its test, whichever job resumes it.
      if let owner = state.owners[task]?.executor { return owner }
      // Task identifiers count up.
      guard let test, test.owns(task), !others.contains(task) else { return nil }
      if state.owners.updateValue(Owner(executor: test), forKey: task) == nil {
        state.tasks[ObjectIdentifier(test), default: []].append(task)
      }
      isEmpty.store(false, ordering: .relaxed)
      return test
    }
  }
}

extension RunningExecutors: RuntimeListener {
  var mainExecutor: UnownedSerialExecutor? {
    guard let test = ofTask, test.order.sight.mainActor else { return nil }
    // Sound: a stand-in is never freed.
    return unsafe test.mainActor.asUnownedSerialExecutor()
  }

  func willRelease(_ address: UInt) {
    guard let thread, let executor = thread.executor, executor.order.sight.actorTurns
    else { return }
    if let task = UnownedJob(taskAt: address) {
      guard task.isEnqueued else { return }
      // Before the runtime calls the hook with the task's job.
      if RuntimeHooks.areReplaced { RuntimeHooks.install() }
      executor.adopt(task, on: thread)
    } else if address == currentDefaultActor {
      executor.willRelease(address, on: thread)
    }
  }

  func willAcquire(_ address: UInt) {
    guard let thread, let executor = thread.executor, executor.order.sight.actorTurns,
      let task = UnownedJob(taskAt: address)
    else { return }
    // One that starts immediately is the running one already, and seems to prefer an executor.
    if TaskID.of(task) == TaskID.current { executor.adopt(task, on: thread) }
    if let actor = currentDefaultActor { executor.willAcquire(task, on: actor, on: thread) }
  }
}

/// Remembers tasks, until newer ones take their places.
// Sound: the memory is never freed, and its words are atomic.
@safe private struct RecentTasks: Sendable {
  private static let capacity: UInt64 = 1 << 17

  nonisolated(unsafe) private let places: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    unsafe places = .allocate(capacity: Int(Self.capacity))
    for index in 0..<Int(Self.capacity) { unsafe (places + index).initialize(to: Atomic(0)) }
  }

  func insert(_ task: UInt64) {
    unsafe places[Int(task % Self.capacity)].store(task, ordering: .relaxed)
  }

  func contains(_ task: UInt64) -> Bool {
    unsafe places[Int(task % Self.capacity)].load(ordering: .relaxed) == task
  }
}
