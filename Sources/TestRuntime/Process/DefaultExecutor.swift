// These interfaces came with 6.3, only on Linux, and have no stable form yet. So another version does without them
// until somebody has looked at it, and `RuntimeSight` says so.
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// The executor of jobs that have none of their own, which passes them to tests.
  ///
  /// A task that yields after it has left an actor passes its job to this executor directly, and not to
  /// `swift_task_enqueueGlobal_hook`.
  final class DefaultExecutor: TaskExecutor, SchedulingExecutor, ExecutorFactory {
    static let isInstalled = true

    static let mainExecutor = PlatformExecutorFactory.mainExecutor
    static let defaultExecutor: any TaskExecutor = DefaultExecutor()

    private let original = PlatformExecutorFactory.defaultExecutor

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if !RuntimeHooks.take(job) { original.enqueue(job) }
    }

    // Sleeps are the original's.
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      scheduling.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      scheduling.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    private var scheduling: any SchedulingExecutor { original as! any SchedulingExecutor }
  }

  /// Replaces the executor when the program is loaded.
  ///
  /// The runtime keeps an executor in two words, which it reads without a lock. Before `main`, there is no task
  /// that reads them.
  // Sound: a function without context is a pointer, as the section has.
  @used @section(".init_array")  // unused: the loader calls it
  private let replaceDefaultExecutor: @convention(c) () -> Void = {
    _createExecutors(factory: DefaultExecutor.self)
  }
#else
  /// The executor of jobs that have none of their own, which can't be replaced here.
  enum DefaultExecutor {
    static let isInstalled = false
  }
#endif
