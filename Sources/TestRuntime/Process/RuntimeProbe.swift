internal import Dispatch
internal import Synchronization

/// Does a few things on a thread of its own, and notes which of them the runtime shows.
///
/// It calls an actor from three tasks, cancels a task, and starts unstructured ones. All of that takes less than a
/// millisecond.
final class RuntimeProbe: TaskExecutor, RuntimeListener {
  /// What the runtime shows.
  // No option set, whose constants would be initialized where the runtime calls a hook under a lock.
  enum Fact: Int, CaseIterable {
    /// The job of an unstructured task, and of one that yields after it has left an actor.
    case job, yield
    /// That code asks for the main actor's executor.
    case mainExecutor
    /// The actor on which a thread runs, that the thread lets go of it, and that it uses the next task there.
    case actor, left, release, acquire
    /// That a running task isn't ready, and that one that waits for an actor is.
    case running, waiting
    /// The actor of a job, and its first task: of those that aren't sorted, and of the others.
    case actorOfJob, firstTask, firstSortedTask
    /// That a task is locked in its cancellation handler, and isn't afterwards.
    case locked, unlocked
  }

  // Sound: `lookAtWords` resumes the continuation once.
  @safe private struct State {
    var ready: [UnownedJob] = []
    /// The tasks that prefer this executor, in the order of their starts.
    var jobs: [(job: UnownedJob, task: UInt64)] = []
    var tasks: [Task<Void, Never>] = []
    var continuation: UnsafeContinuation<Void, Never>?
    /// Kept, because the optimizer leaves out a question whose answer is unused.
    var mainExecutor: UnownedSerialExecutor?
    var isOver = false
  }

  private actor Subject {
    @inline(never) func visit(_ function: @Sendable () -> Void) { function() }
  }

  /// Calls the actor, and leaves it: without anything to do afterwards, an optimized task ends on the actor.
  private func visit(_ function: @Sendable () -> Void) async {
    await subject.visit(function)
    note(.left, if: currentDefaultActor == nil)
  }

  private let layout: RuntimeLayout
  private let readsWords: Bool
  private let state = Mutex(State())
  // Atomic, because the runtime calls `willAcquire` under locks of its own.
  private let facts = Atomic(0)
  /// The address of the task that waits for the actor, on which another one runs; 0 if there is none.
  private let waitingTask = Atomic<UInt>(0)
  private let subject = Subject()
  private var address: UInt { UInt(bitPattern: ObjectIdentifier(subject)) }
  private static let running = Atomic(0)

  /// Whether any thread has a probe.
  static var isRunning: Bool { running.load(ordering: .relaxed) > 0 }

  /// - Parameters:
  ///   - layout: What is known of the runtime, or what a test fakes.
  ///   - readsWords: Whether the version of the runtime is the one whose objects have known words.
  init(_ layout: RuntimeLayout, readingWords readsWords: Bool) {
    (self.layout, self.readsWords) = (layout, readsWords)
  }

  /// Returns what the runtime shows.
  func look() -> Set<Fact> {
    let end = DispatchSemaphore(value: 0)
    Self.running.add(1, ordering: .relaxed)
    DispatchQueue(label: "RuntimeProbe").async {
      RuntimeHooks.with(self) {
        self.lookForHooks()
        if self.readsWords { self.lookAtWords() }
      }
      end.signal()
    }
    // A runtime that does something else may never come back.
    let isOver = end.wait(timeout: .now() + 10) == .success
    Self.running.subtract(1, ordering: .relaxed)
    state.withLock { $0.isOver = true }
    let facts = facts.load(ordering: .relaxed)
    return isOver ? Set(Fact.allCases.filter { facts & 1 << $0.rawValue != 0 }) : []
  }

  private func lookForHooks() {
    _ = Task.detached {}
    runReady()
    _ = Task.detached {
      await self.visit {}
      await Task.yield()
    }
    runReady()
    // Sound: nothing runs on it.
    state.withLock { unsafe $0.mainExecutor = MainActor.sharedUnownedExecutor }
  }

  private func lookAtWords() {
    start {
      await self.visit {
        self.note(.actor, if: currentDefaultActor == self.address)
        self.note(.running, if: self.job(0)?.isEnqueued(self.layout) == false)
        self.start {
          // Two tasks are sorted now, of which the second stays.
          await self.visit { _ = TurnEnd.schedule(willLeave: {}, didLeave: {}) }
        }
        self.start { await self.visit {} }
        guard let second = self.job(1) else { return }
        self.note(.waiting, if: second.isEnqueued(self.layout))
        self.waitingTask.store(second.address, ordering: .relaxed)
      }
    }
    // Sound: the continuation is resumed once.
    let fourth = start {
      await withTaskCancellationHandler {
        unsafe await withUnsafeContinuation { continuation in
          self.state.withLock { unsafe $0.continuation = continuation }
        }
      } onCancel: {
        self.note(.locked, if: self.job(3)?.isLocked(self.layout) == true)
      }
    }
    fourth.cancel()
    note(.unlocked, if: job(3)?.isLocked(layout) == false)
    // Sound, as above.
    unsafe state.withLock { unsafe $0.continuation.take() }?.resume()
    runReady()
  }

  /// Starts a task, and runs it as far as it can.
  @discardableResult
  private func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: self) { await operation() }
    // Kept, because its job is looked at.
    state.withLock { $0.tasks.append(task) }
    runReady()
    return task
  }

  private func job(_ index: Int) -> UnownedJob? {
    state.withLock { $0.jobs.dropFirst(index).first?.job }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let task = TaskID.of(job)
    state.withLock { state in
      if JobKind(job) == .task, !state.jobs.contains(where: { $0.task == task }) {
        state.jobs.append((job, task))
      }
    }
    add(job)
  }

  func take(_ job: UnownedJob) -> Bool {
    switch JobKind(job, layout) {
    case .task: note(.job)
    case .yield: note(.yield)
    case .actor, .other: break
    }
    add(job)
    return true
  }

  var mainExecutor: UnownedSerialExecutor? {
    note(.mainExecutor)
    return nil
  }

  func willRelease(_ address: UInt) {
    note(.release, if: isWaiting && address == self.address && currentDefaultActor == address)
  }

  func willAcquire(_ address: UInt) {
    let isNext = isWaiting && address == waitingTask.load(ordering: .relaxed)
    note(.acquire, if: isNext && currentDefaultActor == self.address)
  }

  private var isWaiting: Bool { waitingTask.load(ordering: .relaxed) != 0 }

  private func note(_ fact: Fact, if isTrue: Bool = true) {
    if isTrue { facts.bitwiseOr(1 << fact.rawValue, ordering: .relaxed) }
  }

  private func add(_ job: UnownedJob) {
    // Nothing is read at an address before that is known to be an object's.
    if readsWords, job.defaultActor(layout) == address {
      note(.actorOfJob)
      let (fact, index) = isWaiting ? (Fact.firstSortedTask, 2) : (.firstTask, 0)
      note(fact, if: job.firstJobOfActor(layout) == self.job(index).map(\.address))
    }
    let isOver = state.withLock { state in
      state.ready.append(job)
      return state.isOver
    }
    if isOver { runReady() }
  }

  private func runReady() {
    while let job = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) {
      // Sound: the executors live as long as the tasks do.
      let executor =
        JobKind(job) == .task && !job.prefersExecutor
        ? unsafe UnownedTaskExecutor.none : unsafe asUnownedTaskExecutor()
      unsafe job.runSynchronously(isolatedTo: .nonisolated, taskExecutor: executor)
    }
  }
}
