import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers
@testable import ComposableTesting

/// Runs each operation next to each other one, and next to itself.
func race(_ operations: [@Sendable () -> Void], times: Int = 30) {
  let count = operations.count
  onTwoThreads(rounds: times * count * count) { round, isFirst in
    operations[isFirst ? round % count : round / count % count]()
  }
}

/// What tasks of a test share, used from two threads at once: a sanitizer reports what isn't locked.
@Suite("On two threads")
struct UseOnThreadsTests {
  /// Runs an operation on this thread until it suspends, and the rest of it in a task.
  @discardableResult
  static func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return Task { await operation() }
    }
    return Task.immediate { await operation() }
  }

  @Test("an immediate clock shows the latest deadline")
  func immediateClock() {
    let clock = ImmediateClock()
    race(
      [
        { _ = clock.now },
        { Self.start { try? await clock.sleep(for: .seconds(1)) } },
      ], times: 300)
    #expect(clock.now.offset > .zero)
  }

  @Test("a clock wakes or cancels each of its sleepers")
  func testClock() async throws {
    let clock = TestClock()
    let (started, ended) = (Count(), Count())
    @Sendable func sleep() -> Task<Void, Never> {
      started.increment()
      return Self.start {
        try? await clock.sleep(for: .seconds(1))
        ended.increment()
      }
    }
    race([
      { _ = clock.now },
      { _ = clock.sleepers },
      { _ = sleep() },
      { sleep().cancel() },
      { Self.start { await clock.advance(by: .seconds(1)) } },
      { Self.start { await clock.run(wakingAtMost: 1_000_000) } },
      { Self.start { try? await clock.checkSuspension() } },
      { Self.start { await clock.sleepers(atLeast: 0) } },
      { clock.endLateSleeps() },
    ])
    race([{ _ = sleep() }, { sleep().cancel() }], times: 200)
    while ended.value < started.value {
      await clock.advance(by: .seconds(1))
      await Task.yield()
    }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a clock whose run has no end fails the test while tasks come and go")
  func noEnd() async {
    let found = await failures {
      let clock = TestClock()
      let sleeper = Self.start { try? await clock.sleep(for: .seconds(1)) }
      await withDiscardingTaskGroup { group in
        group.addTask { for _ in 0..<50 { await clock.run(wakingAtMost: 0) } }
        group.addTask {
          for _ in 0..<1_000 { Self.start { try? await clock.sleep(for: .seconds(2)) }.cancel() }
        }
      }
      sleeper.cancel()
      await sleeper.value
    }
    #expect(found.count == 50)
    #expect(found.allSatisfy { $0.message.contains("a task is sleeping again") }, "\(found)")
  }

  @Test("a wait has one outcome")
  func wait() async {
    let waits = (0..<1_000).map { _ in Wait() }
    let results = onTwoThreads(rounds: waits.count) { round, isFirst -> Wait.Outcome? in
      waits[round].end(isFirst ? .fulfilled : .timedOut)
      return waits[round].outcome
    }
    for (result, wait) in zip(results, waits) {
      #expect(result.first == result.second)
      #expect(await wait.end() == result.first)
    }
    let others = (0..<1_000).map { _ in Wait() }
    let ended = Count()
    onTwoThreads(rounds: others.count) { round, isFirst in
      if isFirst {
        others[round].end(.fulfilled)
      } else {
        Self.start {
          if await others[round].end() == .fulfilled { ended.increment() }
        }
      }
    }
    while ended.value < others.count { await Task.yield() }
  }

  @Test("an executor runs each job once")
  func executor() async {
    let executor = TestExecutor()
    let (started, ended) = (Count(), Count())
    race([
      {
        started.increment()
        Task(executorPreference: executor) { ended.increment() }
      },
      { Self.start { _ = await executor.idle(within: .seconds(60)) } },
      { _ = executor.runningJob },
      { _ = executor.isWaitedFor },
      { _ = executor.hasAbandonedJobs },
      { _ = executor.takeUnrest() },
      { executor.forget(nil, abandoning: .max) },
      { _ = TestExecutor() },
    ])
    while await executor.idle(within: .seconds(60)) == .timedOut {}
    #expect(ended.value == started.value)
  }

  @Test("a few threads take all turns")
  func workers() async {
    let (threads, turns) = (WorkerThreads(count: 2), Count())
    let rounds = 500
    onTwoThreads(rounds: rounds) { round, _ in
      threads.run { turns.increment() }
      if round % 100 == 50 { threads.replaceThread() }
    }
    while turns.value < 2 * rounds { await Task.yield() }
  }

  @Test("time limits and countdowns are up in the end")
  func limits() async {
    let countdown = Countdown(of: .milliseconds(10), atMost: 1) { job in job() }
    let ups = onTwoThreads(rounds: 20) { _, _ in countdown.step() }
    #expect(ups.last?.first == true && ups.last?.second == true)
    let executor = TestExecutor()
    for _ in 0..<20 {
      let limit = TimeLimit(.nanoseconds(100), on: executor)
      for _ in 0..<30 { #expect(await limit.outcome(of: Wait()) == .timedOut) }
    }
  }

  @Test("a watch loses no executor")
  func watch() {
    let (watch, executor) = (BlockWatch(), TestExecutor())
    let added = Count()
    race(
      [
        {
          watch.add(executor)
          added.increment()
        },
        { watch.check() },
        { _ = watch.count },
      ], times: 100)
    #expect(watch.count == added.value)
  }

  @Test("the runs of tests know their clocks")
  func runs() async {
    race(
      [
        { _ = TestClock() },
        { _ = TestRun.running.sleepers },
      ], times: 300)
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 {
            _ = TestRun.running
            #expect(!TestRun.hasStore)
          }
        }
      }
    }
  }

  @Test("a store's log keeps all actions and effects")
  func storeLog() async {
    let log = StoreLog<Int, Int>(state: 0, in: TestRun())
    let effects = (0..<2).map { _ in Counter() }
    let ids = effects.map(ObjectIdentifier.init)
    race(
      [
        { log.didReceive(1, state: 1) },
        { _ = log.received },
        { _ = log.takeReceived(through: 0) },
        { _ = log.takeAllReceived() },
        { _ = log.state },
        { log.state = 7 },
        { _ = log.exhaustivity },
        { log.exhaustivity = .off },
        { _ = log.timeout },
        { log.timeout = .seconds(1) },
        {
          log.willStart(
            ids[0], of: EffectOrigin(action: 1, place: SourceLocation(fileID: #fileID, line: #line))
          ) {}
        },
        { _ = log.executor(of: ids[0]) },
        { log.didStart(ids[0]) },
        { _ = log.description(of: ids[0]) },
        { log.abandon(ids[0]) },
        { log.didFinish(ids[0]) },
        { _ = log.origins },
        { log.forgetEffects() },
        { Self.start { _ = await log.wait(within: .seconds(60)) { $0.isEmpty ? nil : 1 } } },
      ], times: 20)
    race([{ log.didReceive(1, state: 1) }, { _ = log.received }], times: 200)
    race(
      [
        {
          log.willStart(
            ids[1], of: EffectOrigin(action: 1, place: SourceLocation(fileID: #fileID, line: #line))
          ) {}
        },
        { _ = log.origins },
        { log.didFinish(ids[1]) },
      ], times: 200)
    log.forgetEffects()
    #expect(log.takeAllReceived().allSatisfy { $0.action == 1 })
    withExtendedLifetime(effects) {}
  }

  @Test("a store's environment is overridden while it is read", .isolatedDependencies)
  func environment() {
    let environment = EngineEnvironment(
      (), reducer: Reducer<Int, Int, Void> { _, _, _ in .none })
    race(
      [
        { _ = environment.scope },
        { _ = environment.overriding(at: .init(fileID: #fileID, line: #line)) { $0.a += 1 } },
      ], times: 300)
    #expect(environment.scope.a > 1)
  }

  @Test("the use of overrides is judged over all tests that have the trait")
  func overrideUse() {
    let recorded = Mutex<[Origin]>([])
    let update = ScopeUpdate(fileID: #fileID, line: #line) { $0.a = 5 }
    let scope = TestScope.make(for: TestRun(), [update]) { _, overrides in
      recorded.withLock { $0 = overrides }
    }
    #expect(scope.a == 5)
    let (use, overrides) = (OverrideUse(), recorded.withLock { $0 })
    #expect(overrides.count == 1)
    race(
      [
        { use.add(overrides) },
        { use.report(of: "The test", readers: "nothing", at: #_sourceLocation) },
      ], times: 300)
  }

  @Test("a ledger begins, ends, and is notified of what is read")
  func ledger() {
    let ledger = TestLedger()
    let scope = DependencyScope.isolated(usingTestValues: true, recordingPlaces: true)
    let operations: [@Sendable () -> Void] = [
      {
        ledger.begin(.undeclaredReads, in: scope)
        ledger.end(.undeclaredReads, in: scope)
      },
      { _ = scope.mailer },
      { ledger.forget(allBut: ledger.reported) },
    ]
    race(operations, times: 100)
    race([operations[0]], times: 1_000)
    ledger.begin(.undeclaredReads, in: scope)
    race(operations, times: 100)
    ledger.end(.undeclaredReads, in: scope)
  }

  @Test("an exploration is notified of issues on any thread")
  func issues() async throws {
    let issue = try #require(await collectFailures { Issue.record("an issue") }.first)
    let explorer = Explorer([]) { await Task.yield() }
    let (started, ended) = (Count(), Count())
    race(
      [
        { explorer.note(issue) },
        { _ = explorer.isListening },
        { _ = explorer.runningJob },
        { explorer.didBlock(-1) },
        {
          started.increment()
          Self.start {
            _ = await explorer.run(.given(.plain), seed: 0)
            ended.increment()
          }
        },
      ], times: 100)
    while ended.value < started.value { await Task.yield() }
    #expect(!explorer.isListening)
  }

  @Test("a schedule takes jobs from any thread")
  func schedule() async {
    let run = ScheduleRun(strategy: .given(.plain), isTraced: true)
    let executor = TestExecutor(exploring: run)
    race(
      [
        { _ = run.drain(on: executor) },
        { Task(executorPreference: executor) { run.note("note") } },
        { Task(name: "task", executorPreference: executor) { await run.choose("choice") } },
        { Self.start { try? await run.sleep(until: .seconds(1)) } },
        { Self.start { try? await run.sleep(until: .seconds(2)) }.cancel() },
        { Self.start { await run.idle() } },
        { Self.start { _ = await run.outcome(of: Wait()) } },
        { _ = run.giveUpWaiting() },
        { Self.start { _ = await run.jobArrives(within: .milliseconds(1), on: executor) } },
        { run.announceTask("task") },
        { run.note("note") },
        { _ = run.record },
        { _ = run.trace },
        { _ = run.outsideCount },
        { _ = run.now },
        { _ = run.collect(RunFailure(kind: "", place: "")) },
        { _ = run.collected },
        { run.start {} },
      ], times: 12)
    race(
      [
        { _ = run.drain(on: executor) },
        { Task(executorPreference: executor) { await run.choose("choice") } },
        { Self.start { _ = await run.outcome(of: Wait()) } },
        { _ = run.giveUpWaiting() },
        { run.start {} },
      ], times: 100)
    while run.giveUpWaiting() {}
    _ = run.drain(on: executor)
    race(
      [
        { run.finish(on: executor) },
        { run.end(.returned) },
        { _ = run.ending },
        { Task(executorPreference: executor) {} },
        { run.stop(Task {}, on: executor) },
        { run.abandon() },
      ], times: 40)
  }
}

/// Counts without ordering anything else that two threads do.
private final class Count: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }
  func increment() { count.add(1, ordering: .relaxed) }
}
