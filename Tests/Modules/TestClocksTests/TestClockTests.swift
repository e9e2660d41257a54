import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import TestClocks
@testable import TestRuntime

@Suite("A test clock", .isolatedDependencies)
struct TestClockTests {
  private let clock = TestClock()

  @Test("sleepers wake in the order of their deadlines, then of their arrival")
  func order() async {
    let woken = Log()
    await withTaskGroup { group in
      for (name, seconds) in [("a", 3), ("b", 1), ("c", 2), ("d", 1), ("e", 3), ("f", 1)] {
        group.addTask {
          try? await clock.sleep(for: .seconds(seconds))
          woken.append("\(name) \(clock.now.offset)")
        }
      }
      await clock.advance(by: .seconds(2))
      let expected = [
        "b 1.0 seconds", "d 1.0 seconds", "f 1.0 seconds", "c 2.0 seconds",
      ]
      #expect(woken.lines == expected)
      await clock.advance(to: .init(offset: .seconds(3)))
      #expect(Array(woken.lines.dropFirst(4)) == ["a 3.0 seconds", "e 3.0 seconds"])
      #expect(clock.now.offset == .seconds(3))
    }
  }

  @Test("each sleeper runs as far as it can before the next one wakes")
  func oneByOne() async {
    let steps = Log()
    await withTaskGroup { group in
      for name in ["a", "b"] {
        group.addTask {
          try? await clock.sleep(for: .seconds(1))
          for step in 0..<3 {
            steps.append("\(name)\(step)")
            await Task.yield()
          }
          try? await clock.sleep(for: .seconds(1))
          steps.append("\(name) again")
        }
      }
      await clock.advance(by: .seconds(1))
      #expect(steps.lines == ["a0", "a1", "a2", "b0", "b1", "b2"])
      await clock.advance(by: .seconds(1))
      #expect(steps.lines.suffix(2) == ["a again", "b again"])
    }
  }

  @Test("cancelling a sleep ends only that sleep, immediately")
  func cancellation() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await clock.sleep(for: .seconds(1)) }
      try #require(await clock.waitForSleepers(atLeast: 1) == 1)
      group.cancelAll()
      await #expect(throws: CancellationError.self) { try await group.next() }
      group.addTask { try await clock.sleep(for: .seconds(1)) }
      await #expect(throws: CancellationError.self) { try await group.next() }
    }
    try await clock.checkSuspension()
    async let other: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    try await other
  }

  @Test("a sleep until now or earlier doesn't wait")
  func past() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
  }

  @Test("a loop that sleeps until now lets other tasks run", .needsYields)
  func yields() async throws {
    let numbers = Shared<[Int]>([])
    async let other: Void = numbers.update { $0.append(2) }
    numbers.update { $0.append(1) }
    try await clock.sleep(until: clock.now)
    numbers.update { $0.append(3) }
    await other
    #expect(numbers.value == [1, 2, 3])
  }

  @Test("all sleepers are cancelled at once")
  func cancelled() async {
    let tasks = (1...2).map { second in
      Task { try await clock.sleep(for: .seconds(second)) }
    }
    await clock.waitForSleepers(atLeast: 2)
    clock.cancelSleepers()
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(clock.sleepingTasks.isEmpty)
  }

  @Test("run advances until all sleeps have ended")
  func runToTheEnd() async throws {
    async let slept: Void = {
      for second in 1...10 { try await clock.sleep(for: .seconds(second)) }
    }()
    await clock.run()
    try await slept
    #expect(clock.now.offset == .seconds(55))
    try await clock.checkSuspension()
  }

  @Test("run fails the test if a task keeps sleeping")
  func noEnd() async {
    let ticks = Task(executorPreference: TestRun.running.executor) {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    let failures = await failures { await clock.run(wakingAtMost: 20) }
    expectOne(
      failures, atLine: #line - 2, containing: "shows 20.0 seconds", "sleeps until 21.0 seconds")
    ticks.cancel()
  }

  @Test("checkSuspension throws while a task sleeps, also on an existential")
  func suspension() async throws {
    let existential: any Clock<Duration> = clock
    async let slept: Void = existential.sleep(for: .seconds(5))
    await clock.advance(by: .seconds(4))
    let error = await #expect(throws: TestClock.SuspensionError.self) {
      try await clock.checkSuspension()
    }
    #expect("\(error!)".contains("until 5.0 seconds"))
    await clock.advance(by: .seconds(1))
    try await slept
    try await clock.checkSuspension()
  }

  @Test("waitForSleepers(atLeast:) waits for tasks outside the test's executor")
  func unstructured() async {
    let tasks = [1, 2].map { second in
      Task { try await clock.sleep(for: .seconds(second)) }
    }
    await clock.waitForSleepers(atLeast: 2)
    await clock.advance(by: .seconds(1))
    #expect(await tasks[0].result.isSuccess)
    await clock.advance(by: .seconds(1))
    #expect(await tasks[1].result.isSuccess)
  }

  @Test("waitForSleepers(atLeast:) waits until a task of another thread sleeps")
  func elsewhere() async {
    // Without the notification, this would wait for an hour.
    let clock = TestClock(patience: .seconds(3_600))
    DispatchQueue.global().async {
      while clock.state.withLock({ $0.waits.isEmpty }) { usleep(100) }
      Task.detached { try await clock.sleep(for: .seconds(1)) }
    }
    #expect(await clock.waitForSleepers(atLeast: 1) == 1)
    #expect(await clock.waitForSleepers(atLeast: 1) == 1)
    await clock.advance(by: .seconds(1))
    #expect(await clock.waitForSleepers(atLeast: 0) == 0)
  }

  @Test("waitForSleepers(atLeast:) counts all tasks of the test that get to sleep")
  func sleepers() async {
    await withTaskGroup { group in
      for number in 1...3 {
        group.addTask {
          for _ in 0..<number { await Task.yield() }
          try? await clock.sleep(for: .seconds(number))
        }
      }
      #expect(await clock.waitForSleepers(atLeast: 1) == 3)
      await clock.run()
    }
    #expect(await clock.waitForSleepers(atLeast: 0) == 0)
  }

  @Test("waitForSleepers(atLeast:) fails the test if too few tasks sleep, and waits no more")
  func tooFewSleepers() async {
    let clock = TestClock(patience: .milliseconds(10))
    let failures = await failures { #expect(await clock.waitForSleepers(atLeast: 2) == 0) }
    expectOne(
      failures, atLine: #line - 2,
      containing: "waited 0.01 seconds for 2 tasks to sleep on its clock, but only 0 did")
    #expect(clock.state.withLock { $0.waits.isEmpty })
  }

  @Test("waitForSleepers(atLeast:) returns at once in a task that is cancelled, or already was")
  func cancelledWait() async {
    let clock = clock
    await withTaskGroup { group in
      group.addTask { #expect(await clock.waitForSleepers(atLeast: 1) == 0) }
      await clock.advance()
      group.cancelAll()
      group.addTask { #expect(await clock.waitForSleepers(atLeast: 1) == 0) }
    }
  }

  @Test("a clock advanced backward keeps its time, and fails the test")
  func backward() async {
    let clock = TestClock(now: .init(offset: .seconds(5)))
    let failures = await failures {
      await clock.advance(by: .seconds(-1))
      await clock.advance(to: .init(offset: .seconds(4)))
    }
    #expect(failures.count == 2)
    #expect(failures.last?.message.contains("shows 5.0 seconds, and can't go back to 4.0") == true)
    await clock.advance(to: clock.now)
    await clock.run(wakingAtMost: -1)
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("concurrent advances add up")
  func concurrentAdvances() async throws {
    let clock = clock
    try await withThrowingTaskGroup { group in
      for number in 1...3 {
        group.addTask { try await clock.sleep(for: .milliseconds(300 * number)) }
        group.addTask { await clock.advance(by: .seconds(1)) }
      }
      try await group.waitForAll()
    }
    #expect(clock.now.offset == .seconds(3))
    await clock.advance(by: .seconds(1))
    #expect(clock.now.offset == .seconds(4))
  }

  @Test("advance() without a duration passes no time, but runs what can run")
  func advanceByNothing() async throws {
    let steps = Log()
    async let slept: Void = {
      for step in 1...3 {
        await Task.yield()
        steps.append("\(step)")
      }
      try await clock.sleep(for: .seconds(1))
    }()
    await clock.advance()
    #expect(steps.lines == ["1", "2", "3"])
    #expect(clock.now.offset == .zero)
    await clock.advance(by: .seconds(1))
    try await slept
  }

  @MainActor
  @Test("the children of a test on the main actor reach their sleep")
  func mainActor() async throws {
    MainActor.assertIsolated()
    let clock = clock
    async let slept: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    MainActor.assertIsolated()
    try await slept
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
