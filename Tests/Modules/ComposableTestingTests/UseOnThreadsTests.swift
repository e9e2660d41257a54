import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers
@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

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
      { _ = clock.sleepingTasks },
      { _ = sleep() },
      { sleep().cancel() },
      { Self.start { await clock.advance(by: .seconds(1)) } },
      { Self.start { await clock.run(wakingAtMost: 1_000_000) } },
      { Self.start { try? await clock.checkSuspension() } },
      { Self.start { await clock.waitForSleepers(atLeast: 0) } },
    ])
    race([{ _ = sleep() }, { sleep().cancel() }], times: 200)
    while ended.value < started.value {
      await clock.advance(by: .seconds(1))
      await Task.yield()
    }
    #expect(clock.sleepingTasks.isEmpty)
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
      waits[round].finish(isFirst ? .fulfilled : .timedOut)
      return waits[round].outcomeIfFinished
    }
    for (result, wait) in zip(results, waits) {
      #expect(result.first == result.second)
      #expect(await wait.outcome() == result.first)
    }
    let others = (0..<1_000).map { _ in Wait() }
    let ended = Count()
    onTwoThreads(rounds: others.count) { round, isFirst in
      if isFirst {
        others[round].finish(.fulfilled)
      } else {
        Self.start {
          if await others[round].outcome() == .fulfilled { ended.increment() }
        }
      }
    }
    while ended.value < others.count { await Task.yield() }
  }

  @Test("an executor runs each job once")
  func executor() async {
    let executor = TestExecutor(order: JobOrder())
    let (started, ended) = (Count(), Count())
    race([
      {
        started.increment()
        Task(executorPreference: executor) { ended.increment() }
      },
      { Self.start { _ = await executor.order.idle(within: Countdown(.seconds(60))) } },
      { _ = TestExecutor(order: JobOrder()) },
    ])
    while await executor.order.idle(within: Countdown(.seconds(60))) == .timedOut {}
    #expect(ended.value == started.value)
  }

  private enum NumberKey: DependencyKey { static var defaultValue: Int { 0 } }

  @Test("a ledger begins, ends, and is notified of what is read")
  func ledger() {
    let ledger = TestLedger()
    let scope = DependencyScope.isolated(usingTestValues: true, recordingPlaces: true)
    ledger.reported = [ObjectIdentifier(NumberKey.self)]
    let operations: [@Sendable () -> Void] = [
      {
        ledger.begin(.defaults, in: scope)
        ledger.end(.defaults)
      },
      { _ = scope[NumberKey.self] },
      { ledger.reported = ledger.reported },
    ]
    race(operations, times: 100)
    race([operations[0]], times: 1_000)
    ledger.begin(.defaults, in: scope)
    race(operations, times: 100)
    ledger.end(.defaults)
  }

  @Test("an exploration is notified of issues on any thread")
  func issues() async throws {
    let issue = try #require(await collectFailures { Issue.record("an issue") }.first)
    let runner = ScheduleRunner([]) { await Task.yield() }
    let (started, ended) = (Count(), Count())
    race(
      [
        { runner.issues.note(issue) },
        { _ = runner.issues.isListening },
        {
          started.increment()
          Self.start {
            _ = await runner.run(.given(.plain), seed: 0)
            ended.increment()
          }
        },
      ], times: 100)
    while ended.value < started.value { await Task.yield() }
    #expect(!runner.issues.isListening)
  }

}

/// Counts without ordering anything else that two threads do.
private final class Count: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }
  func increment() { count.add(1, ordering: .relaxed) }
}
