import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

@Suite("A schedule that doesn't end")
struct UnendedScheduleTests {
  /// Lets a trap stop the process at once: printing a backtrace of this large program takes seconds.
  private static func dropBacktraces() {
    for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
  }

  @Test("is reported, and then awaited", .needsWarnings)
  func unended() async throws {
    let (gate, started, ended) = (Gate(), Shared(0), Shared(0))
    let messages = Shared<[String]>([])
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      let message = issue.comments.map(\.rawValue).joined()
      messages.update { $0.append(message) }
      if message.contains("don't end although they are cancelled") { gate.open() }
      return nil
    }
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      _ = try? await explore(schedules: 2, timeout: .milliseconds(10)) {
        started.update { $0 += 1 }
        await gate.wait()
        ended.update { $0 += 1 }
      }
    }
    #expect(messages.value.count == 2, "\(messages.value)")
    #expect(messages.value.first?.contains("in schedule 1 of 2") == true, "\(messages.value)")
    #expect(started.value > 0 && ended.value == started.value)
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test(
    "is reported once it has waited for a job that blocks and may end it", .tooLongUnderSanitizers)
  func beside() async throws {
    let found = try await expectIssues(containing: "doesn't end in schedule 1 of 1") {
      try await explore(schedules: 1) {
        let semaphore = DispatchSemaphore(value: 0)
        Task { Self.wait(for: semaphore) }
        while !Task.isCancelled { await Task.yield() }
        semaphore.signal()
      }
    }
    #expect(found.count == 1)
  }

  @Test("that can't end is left suspended by a function")
  func leaked() async throws {
    let found = try await expectIssues(containing: "is deadlocked") {
      try await explore(schedules: 1, timeout: .milliseconds(10)) { await Gate().wait() }
    }
    #expect(found.count == 1)
  }

  @Test("that can't end fails the test of a trait, which gives its function back")
  func suspended() async throws {
    let trait = ExploringTrait.exploring(schedules: 10, timeout: .milliseconds(10))
    let (test, gates) = (try #require(Test.current), Shared<[Gate]>([]))
    let found = try await expectIssues(containing: "is deadlocked") {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let gate = Gate()
        gates.update { $0.append(gate) }
        await gate.wait()
        gates.update { $0 = [] }
      }
    }
    #expect(found.count == 1 && gates.value.count > 1)
    // Nothing goes on, even if something resumes it later.
    for gate in gates.value { gate.open() }
    await Task.yield()
    #expect(gates.value.count > 1)
  }

  @Test("rests once it was stopped, until its run ends")
  func rests() async {
    let order = JobOrder(strategy: .given(.plain))
    let (executor, gate, hasPassed) = (TestExecutor(order: order), Gate(), Shared(false))
    let body = Task(executorPreference: executor) {
      await gate.wait()
      hasPassed.update { $0 = true }
    }
    await order.drain(on: executor)
    #expect(await !order.stop(body, on: executor))
    gate.open()
    await order.drain(on: executor)
    #expect(!hasPassed.value)
    order.end(on: executor)
    await body.value
    #expect(hasPassed.value)
  }

  @Test("rests after a number of steps, where what its body has left behind keeps running")
  func keepsRunning() async {
    let order = JobOrder(strategy: .given(.plain))
    let (executor, steps) = (TestExecutor(order: order), Shared(0))
    let body = Task(executorPreference: executor) {
      Task(executorPreference: executor) {
        while true {
          steps.update { $0 += 1 }
          await Task.yield()
        }
      }
      order.endBody(.returned)
    }
    await order.drain(on: executor)
    #expect(steps.value <= Waits.restLimit)
    await body.value
    let before = steps.value
    order.end(on: executor)
    while order.state.withLock({ $0.isRunning }) { await Task.yield() }
    #expect(steps.value == before)
  }

  @Test("is awaited while a thread is inside of it, which uses what its body has captured")
  func inside() async {
    let order = JobOrder(strategy: .given(.plain))
    let (mayGoOn, gate) = (DispatchSemaphore(value: 0), Gate())
    let hasRested = Shared(false)
    let test = TestRun(order: order, root: 0)
    let body = Task(executorPreference: test.executor) {
      // Of the executor, even while a random program replaces the hook that other tasks come by.
      Task(executorPreference: test.executor) {}
      Self.wait(for: mayGoOn)
      await gate.wait()
    }
    // The thread that blocks lets the other task go on.
    await order.drain(on: test.executor)
    order.end(on: test.executor)
    async let rest: Void = {
      await order.rest()
      hasRested.update { $0 = true }
    }()
    while order.state.withLock({ $0.waits.arrival == nil }), !hasRested.value { await Task.yield() }
    for _ in 0..<10 where !hasRested.value { await Task.yield() }
    #expect(!hasRested.value)
    mayGoOn.signal()
    await rest
    gate.open()
    withExtendedLifetime(body) {}
  }

  @globalActor private actor Ring {
    static let shared = Ring()
  }

  @Test("rests, but not an actor whose job has come from another thread meanwhile")
  func actor() async {
    let order = JobOrder(strategy: .given(.plain))
    let executor = TestExecutor(order: order, root: 0)
    let (hasEnded, hasRun, isFree) = (DispatchSemaphore(value: 0), Signal(), Signal())
    let body = Task(executorPreference: executor) {
      Task { @Ring in
        await QueueActor().run { _ in Self.wait(for: hasEnded) }
        hasRun.raise()
      }
      Task {
        hasEnded.signal()
        // Its job arrives now, while this task keeps running.
        while order.state.withLock({ $0.entries.outside.isEmpty }) {}
        while true { await Task.yield() }
      }
      order.endBody(.returned)
    }
    await order.drain(on: executor)
    await body.value
    order.end(on: executor)
    #expect(await hasRun.wait(atMost: .seconds(30)))
    Task { @Ring in isFree.raise() }
    #expect(await isFree.wait(atMost: .seconds(30)))
  }

  @Test("lets a loop sleep that ignores its cancellation, until the run ends")
  func sleepsAfterCancellation() async {
    let order = JobOrder(strategy: .given(.plain))
    let (executor, sleeps, isOver) = (TestExecutor(order: order), Shared(0), Shared(false))
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let body = Task(executorPreference: executor) {
      for await _ in stream {}
      while !isOver.value {
        sleeps.update { $0 += 1 }
        try? await order.sleep(until: .seconds(1))
      }
    }
    await order.drain(on: executor)
    #expect(sleeps.value == 0)
    #expect(await !order.stop(body, on: executor))
    #expect(sleeps.value == 1)
    isOver.update { $0 = true }
    order.end(on: executor)
    await body.value
    withExtendedLifetime(continuation) {}
  }

  @Test("ends if a task that isn't canceled with it sleeps on a clock of the test")
  func asleep() async throws {
    let found = try await expectIssues(containing: "is deadlocked") {
      let test = TestExploration(
        form: .trait, name: "sleeps",
        runner: ScheduleRunner([], timeout: .milliseconds(10)) {
          let clock = TestClock()
          await Task { try? await clock.sleep(for: .seconds(1)) }.value
        })
      _ = try await test.explore(schedules: 1, seed: 0)
    }
    #expect(found.count == 1)
  }

  #if !os(Windows)
    @Test("can't take a signal away from the process")
    func signalled() async {
      await #expect(processExitsWith: .signal(SIGILL)) {
        Self.dropBacktraces()
        _ = await ScheduleRunner([]) { raise(SIGILL) }.traced(.plain)
      }
    }
  #endif

  @Test("because it traps prints its token")
  func trapped() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Self.dropBacktraces()
      let runner = ScheduleRunner([]) {
        if try await orderOfTwo() == "ba" { fatalError("wrong order") }
      }
      _ = await runner.search(10)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("wrong order"))
    #expect(output.contains("the token is \"2.1\""), "\(output)")
  }
}
