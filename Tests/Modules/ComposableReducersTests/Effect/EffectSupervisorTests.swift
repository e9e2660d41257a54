import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// A store whose effects run where a supervisor says.
@Suite("Supervised effects")
struct EffectSupervisorTests {
  private typealias Action = RecordingAction

  /// Runs jobs at once, on the thread that enqueues them, and counts them.
  private final class Executor: TaskExecutor {
    let jobCount = Atomic(0)

    func enqueue(_ job: consuming ExecutorJob) {
      jobCount.add(1, ordering: .relaxed)
      let job = UnownedJob(job)
      Task.detached { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// Records each call about a task.
  private final class Supervisor: EffectSupervisor {
    struct Record: Sendable {
      var origin: EffectOrigin
      var abandon: @Sendable () -> Void
      var events = ["will start"]
    }

    let executor = Executor()
    private let state = Mutex((order: [ObjectIdentifier](), records: [ObjectIdentifier: Record]()))
    private let past = Mutex<[Record]>([])

    /// Those that haven't ended, in the order of their start.
    var current: [Record] { state.withLock { state in state.order.map { state.records[$0]! } } }
    /// Those that have, in the order of their end.
    var ended: [Record] { past.withLock { $0 } }

    func willStart(
      _ task: ObjectIdentifier, of origin: EffectOrigin, abandon: @escaping @Sendable () -> Void
    ) {
      state.withLock {
        $0.order.append(task)
        $0.records[task] = Record(origin: origin, abandon: abandon)
      }
    }

    func executor(of task: ObjectIdentifier) -> any TaskExecutor {
      state.withLock { $0.records[task]?.events.append("executor") }
      return executor
    }

    func didStart(_ task: ObjectIdentifier) {
      state.withLock { $0.records[task]?.events.append("did start") }
    }

    func didFinish(_ task: ObjectIdentifier) {
      let record = state.withLock { state in
        state.order.removeAll { $0 == task }
        return state.records.removeValue(forKey: task)
      }
      past.withLock { if let record { $0.append(record) } }
    }
  }

  /// A store with a supervisor.
  private actor SupervisedStore {
    private let core: StoreCore<[String], Action>
    private nonisolated let effects: EffectRegistry

    init(_ supervisor: Supervisor, _ effect: @escaping @Sendable (Int) -> Effect<Action>) {
      core = StoreCore(
        initialState: [],
        reducer: Reducer<[String], Action, Void> { state, action, _ in
          switch action {
          case .start(let number): return effect(number)
          case .cancel(let id): return .cancel(id: id)
          case .record(let text):
            state.append(text)
            return .none
          }
        }, environment: (), supervisor: supervisor)
      effects = core.effects
      effects.connect { [weak self] in await self?.receive($0) }
    }

    deinit { effects.cancelAll() }

    var state: [String] { core.state }

    func send(_ action: Action) -> StoreTask { core.receive(action) { _ in } }

    private func receive(_ request: EffectRequest) { core.receive(request) { _ in } }
  }

  @Test("a supervisor follows each task, from before its start to its end, and names its executor")
  func notifications() async {
    let supervisor = Supervisor()
    let line = UInt(#line)
    let store = SupervisedStore(supervisor) { number in
      .merge(
        .run { await $0(.record("one")) },
        .concatenate(
          .run { await $0(.record("two")) }, .run { await $0(.record("three")) }))
    }
    await store.send(.start(7)).finish()
    #expect(await store.state.sorted() == ["one", "three", "two"])
    #expect(supervisor.current.isEmpty)
    #expect(supervisor.ended.map(\.events) == Array(repeating: Self.fullLife, count: 3))
    #expect(supervisor.ended.map { $0.origin.place.line - line }.sorted() == [3, 5, 5])
    for record in supervisor.ended {
      guard case .start(7) = record.origin.action as? Action else {
        Issue.record("The origin is \(record.origin.action)")
        continue
      }
    }
    #expect(supervisor.executor.jobCount.load(ordering: .relaxed) >= 2)
  }

  private static let fullLife = ["will start", "executor", "did start"]

  @Test("all jobs of an effect and its parts run on the supervisor's executor")
  func executor() async {
    let supervisor = Supervisor()
    let isOnExecutor = Mutex<[Bool]>([])
    let note: @Sendable () -> Void = {
      let isThere = unsafe withUnsafeCurrentTask {
        unsafe $0?.unownedTaskExecutor == supervisor.executor.asUnownedTaskExecutor()
      }
      isOnExecutor.withLock { $0.append(isThere) }
    }
    let store = SupervisedStore(supervisor) { number in
      .run { send in
        note()
        await Task.yield()
        note()
        guard number == 1 else { return }
        try await send.withTaskCancellation(id: 1) { _ in
          note()
          await Task.yield()
          note()
        }
      }
    }
    await store.send(.start(0)).finish()
    await store.send(.start(1)).finish()
    #expect(isOnExecutor.withLock { $0 } == Array(repeating: true, count: 6))
  }

  @Test("an effect that is cancelled before its start runs on its executor, cancelled")
  func cancelledBeforeItsStart() async {
    let supervisor = Supervisor()
    let store = SupervisedStore(supervisor) { _ in
      .merge(
        Effect.run {
          #expect(Task.isCancelled && $0.isCancelled)
          await $0(.record("ran"))
        }.cancellable(id: 1), .cancel(id: 1))
    }
    await store.send(.start(0)).finish()
    #expect(await store.state.isEmpty)
    #expect(supervisor.current.isEmpty)
    #expect(supervisor.ended.map(\.events) == [Self.fullLife])
  }

  @Test("an abandoned effect isn't waited for, and is cancelled with the store")
  func abandoning() async {
    let supervisor = Supervisor()
    let (started, goOn, ended) = (Gate(), Gate(), Gate())
    let isCancelled = Mutex(false)
    var store: SupervisedStore? = SupervisedStore(supervisor) { _ in
      .run { _ in
        started.open()
        await goOn.wait()
        isCancelled.withLock { $0 = Task.isCancelled }
        ended.open()
      }
    }
    let task = await store?.send(.start(0))
    await started.wait()
    for record in supervisor.current { record.abandon() }
    await task?.finish()
    #expect(task?.effects.isEmpty == true)
    store = nil
    goOn.open()
    await ended.wait()
    #expect(isCancelled.withLock { $0 })
  }

  @Test("cancelling the task that waits in a supervisor's way cancels the effects")
  func cancelledWait() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { _ in
        started.open()
        try await Task.sleep(for: .seconds(1_000_000))
      }
    }
    let task = await store.send(.start(0))
    await started.wait()
    let waiting = Task {
      await StoreTask(task) { task in
        // Ends when the effects do, even if the waiting task is cancelled.
        await withCheckedContinuation { end in task.whenFinished { end.resume() } }
      }.finish()
    }
    waiting.cancel()
    await waiting.value
    #expect(task.effects.isEmpty)
  }
}
