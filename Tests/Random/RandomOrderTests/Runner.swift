import ComposableReducers
import Dispatch
import StandardDependencies
import Synchronization
import TestSupport

@testable import ScheduleExploring
@testable import TestRuntime

/// Runs a program once.
final class Runner: Sendable {
  private let program: Program
  /// Whether the program runs on all cores, outside of any test.
  ///
  /// It has shared actors of its own then: the thread of its last task may keep an actor for a while, in which
  /// a schedule's task would wait there.
  private let isNative: Bool
  private let places: [any Place]
  private let clock: any Clock<Duration>
  private let awaited: Channels
  /// What this opens and sends to: its own, or those of another test.
  private let resumed: Channels
  private let handles = Mutex<[Int: Task<Void, Never>]>([:])
  /// The ends of the tasks that a queue starts later.
  private let ends = Mutex<[Int: Gate]>([:])
  private let lock = Mutex(())
  /// How often tasks that were left behind have gone on.
  static let latePolls = Atomic(0)
  static let count = Atomic(0)

  private let events = Mutex<(trace: Trace, isOpen: Bool)>(([], true))
  /// The executors on whose threads something has happened that isn't outside.
  private let executors = Mutex<Set<ObjectIdentifier?>>([])

  /// What tasks wait for until others resume them.
  private struct Channels {
    let gates: [Gate]
    let streams: [(stream: AsyncStream<Int>, continuation: AsyncStream<Int>.Continuation)]

    init(_ program: Program) {
      gates = (0..<program.gates).map { _ in Gate() }
      streams = (0..<program.streams).map { _ in AsyncStream.makeStream() }
    }
  }

  convenience init(_ program: Program, isNative: Bool = false) {
    let channels = Channels(program)
    self.init(program, waitingFor: channels, resuming: channels, isNative: isNative)
  }

  /// Creates two runs of a program, each of which resumes the other's tasks.
  static func pair(_ program: Program) -> [Runner] {
    let (first, second) = (Channels(program), Channels(program))
    return [
      Runner(program, waitingFor: first, resuming: second),
      Runner(program, waitingFor: second, resuming: first),
    ]
  }

  private init(
    _ program: Program, waitingFor awaited: Channels, resuming resumed: Channels,
    isNative: Bool = false
  ) {
    (self.program, self.isNative) = (program, isNative)
    (self.awaited, self.resumed) = (awaited, resumed)
    Self.count.add(1, ordering: .relaxed)
    places = program.rooms.map { room in
      switch room {
      case .actor: PlainPlace()
      case .shared: isNative ? PlainPlace.native : PlainPlace.shared
      case .main: MainPlace()
      case .global: isNative ? NativePlace() : GlobalPlace()
      case .outside: OutsidePlace()
      // Nothing else runs there.
      case .store: PlainPlace()
      }
    }
    clock = DependencyScope.current.continuousClock
  }

  func run() async {
    if program.isBesideLibrary { OtherLibrary.replaceHook() }
    await run(program.root.steps)
  }

  /// Waits for all tasks that have been started.
  func finish() async {
    while true {
      if let (id, task) = handles.withLock({ $0.first }) {
        await task.value
        handles.withLock { $0[id] = nil }
      } else if let (id, end) = ends.withLock({ $0.first }) {
        await end.wait()
        ends.withLock { $0[id] = nil }
      } else {
        return
      }
    }
  }

  /// Returns what has happened, and ignores what happens from now on.
  func close() -> Trace {
    events.withLock { events in
      events.isOpen = false
      return events.trace
    }
  }

  /// Whether all that has happened did so on the threads of one executor, or outside.
  func hasRun(on executor: TestExecutor) -> Bool {
    executors.withLock { $0.isSubset(of: [ObjectIdentifier(executor)]) }
  }

  private func record(_ atom: Int, value: Int = 0) {
    if !QueueExecutor.isCurrent {
      let executor = RunningExecutors.shared.current.map { ObjectIdentifier($0) }
      executors.withLock { _ = $0.insert(executor) }
    }
    events.withLock { events in
      if events.isOpen { events.trace.append(Event(atom: atom, value: value)) }
    }
  }

  // Each runs on the actor that calls it.

  fileprivate func run(_ steps: [Step]) async {
    for step in steps { await run(step) }
  }

  private func run(_ step: Step) async {
    switch step {
    case .log(let atom): record(atom)
    case .check(let atom): record(atom, value: Task.isCancelled ? 1 : 0)
    case .call(let room, let steps): await places[room].run(steps, for: self)
    case .yield: await Task.yield()
    case .sleep(let seconds): try? await clock.sleep(for: .seconds(seconds))
    case .poll(let seconds):
      while !Task.isCancelled {
        try? await clock.sleep(for: .seconds(seconds))
        if !events.withLock({ $0.isOpen }) { Self.latePolls.add(1, ordering: .relaxed) }
      }
    case .interleaved(let atom):
      let record = interleaved(named: "\(atom)") { self.record(atom) }
      await record()
    case .failing(let atom, let result, let errors):
      record(result, value: await outcome(of: atom, errors: errors))
    case .start(let job) where job.queue == .async:
      let end = Gate()
      ends.withLock { $0[job.id] = end }
      DispatchQueue.global().async { self.start(job, end: end) }
    case .start(let job) where job.queue == .sync: Self.queue.sync { start(job) }
    case .start(let job) where job.takesLock: lock.withLock { _ in start(job) }
    case .start(let job): start(job)
    case .join(let id):
      await handles.withLock { $0[id] }?.value
      await ends.withLock { $0[id] }?.wait()
    case .cancel(let id): handles.withLock { $0[id] }?.cancel()
    case .group(let jobs, let steps):
      await withDiscardingTaskGroup { group in
        for job in jobs {
          group.addTask(priority: job.priority) { await self.run(job.steps) }
        }
        await run(steps)
      }
    case .asyncLet(let job, let steps):
      async let child: Void = run(job.steps)
      await run(steps)
      await child
    case .effects(let jobs, let atoms): await runEffects(jobs, atoms)
    case .open(let gate): resumed.gates[gate].open()
    case .wait(let gate): await awaited.gates[gate].wait()
    case .send(let stream, let atom): resumed.streams[stream].continuation.yield(atom)
    case .receive(let stream, let atom):
      var elements = awaited.streams[stream].stream.makeAsyncIterator()
      record(atom, value: await elements.next(isolation: #isolation) ?? -1)
    }
  }

  /// Returns the number with which the model notes how a call fails; 0 if it succeeds.
  private func outcome(of atom: Int, errors: Int) async -> Int {
    let hasRun = Shared(false)
    let body = { @Sendable in
      self.record(atom)
      hasRun.update { $0 = true }
    }
    let call =
      errors == 1
      ? interleaved(named: "\(atom)", orThrowing: CallError.first) { body() }
      : interleaved(named: "\(atom)", orThrowing: CallError.first, CallError.second) { body() }
    do {
      try await call()
      return 0
    } catch {
      return 2 * (error as! CallError).rawValue + (hasRun.value ? 2 : 1)
    }
  }

  private enum CallError: Int, Error { case first, second }

  private func runEffects(_ jobs: [Job], _ atoms: [Int]) async {
    enum Action: Sendable { case start, ended(Int) }
    let reducer = Reducer<Int, Action, Void> { count, action, _ in
      switch action {
      case .start:
        return .merge(
          zip(jobs, atoms).map { job, atom in
            .run { send in
              await self.run(job.steps)
              await send(.ended(atom))
            }
          })
      case .ended(let atom):
        count += 1
        self.record(atom)
        return .none
      }
    }
    let store = Store(initialState: 0, reducer: reducer, environment: ())
    await store.send(.start).finish()
    withExtendedLifetime(store) {}
  }

  private func run(_ job: Job) async {
    if job.takesLock { lock.withLock { _ in } }
    guard job.handlesCancellation else { return await run(job.steps) }
    await withTaskCancellationHandler {
      await run(job.steps)
    } onCancel: {
      // On an actor that others use, too.
      Task { await places[0].run([], for: self) }
    }
  }

  private static let queue = DispatchQueue(label: "Runner", attributes: .concurrent)

  /// Starts a task on a queue.
  private func start(_ job: Job, end: Gate) {
    Task(priority: job.priority) {
      await run(job)
      end.open()
    }
  }

  private func start(_ job: Job, isolation: isolated (any Actor)? = #isolation) {
    let task =
      switch job.kind {
      case .main: Task(priority: job.priority) { @MainActor in await self.run(job) }
      case .global where isNative:
        Task(priority: job.priority) { @NativeRing in await self.run(job) }
      case .global: Task(priority: job.priority) { @Ring in await self.run(job) }
      case .here:
        Task(priority: job.priority) {
          _ = isolation
          await self.run(job)
        }
      case .detached: Task.detached(priority: job.priority) { await self.run(job) }
      case .immediate: startImmediately(job)
      default: Task(priority: job.priority) { await self.run(job) }
      }
    handles.withLock { $0[job.id] = task }
  }

  private func startImmediately(_ job: Job) -> Task<Void, Never> {
    guard #available(macOS 26, *) else {
      return Task(priority: job.priority) { await self.run(job) }
    }
    return Task.immediate(priority: job.priority) { await self.run(job) }
  }
}

extension Job {
  fileprivate var priority: TaskPriority? { isUrgent ? .high : nil }
}

/// A continuation that one task waits for.
private final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: CheckedContinuation<Void, Never>?)>(
    (false, nil))

  func open() {
    state.withLock { state in
      state.isOpen = true
      return state.waiting.take()
    }?.resume()
  }

  func wait() async {
    if state.withLock({ $0.isOpen }) { return }
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting = continuation }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

// MARK: - Actors

private protocol Place: Sendable {
  func run(_ steps: [Step], for runner: Runner) async
}

private actor PlainPlace: Place {
  static let shared = PlainPlace()
  static let native = PlainPlace()

  func run(_ steps: [Step], for runner: Runner) async { await runner.run(steps) }
}

@globalActor private actor Ring { static let shared = Ring() }

extension Runner {
  /// Whether others can enter the global actor that all programs share.
  static func globalActorIsFree(within patience: Duration) async -> Bool {
    let entered = Signal()
    Task.detached { @Ring in entered.raise() }
    return await entered.wait(atMost: patience)
  }
}

@globalActor private actor NativeRing { static let shared = NativeRing() }

private struct GlobalPlace: Place {
  @Ring func run(_ steps: [Step], for runner: Runner) async { await runner.run(steps) }
}

private struct NativePlace: Place {
  @NativeRing func run(_ steps: [Step], for runner: Runner) async { await runner.run(steps) }
}

private struct MainPlace: Place {
  @MainActor func run(_ steps: [Step], for runner: Runner) async { await runner.run(steps) }
}

private actor OutsidePlace: Place {
  private static let queue = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe Self.queue.asUnownedSerialExecutor()
  }

  func run(_ steps: [Step], for runner: Runner) async { await runner.run(steps) }
}

private final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "QueueExecutor")

  init() { queue.setSpecific(key: Self.key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      let executor = unsafe self.asUnownedSerialExecutor()
      unsafe job.runSynchronously(on: executor)
    }
  }
}
