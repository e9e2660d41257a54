import ComposableTesting
import TestSupport
import Testing

@Suite("A test clock", .isolatedDependencies)
struct TestClockTests {
  private let clock = TestClock()

  @Test("sleepers wake in the order of their deadlines, then in the order of their coming")
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

  @Test("each sleeper runs as far as it gets before the next one wakes")
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

  @Test("a sleep is cancelled at once, before it begins or later, and no other is")
  func cancellation() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await clock.sleep(for: .seconds(1)) }
      try await #require(clock.sleepers(atLeast: 1) == 1)
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

  @Test("a sleep until now or before does not wait")
  func past() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
  }

  @Test("it is used through the existential")
  func existential() async throws {
    let existential: any Clock<Duration> = clock
    async let slept: Void = existential.sleep(for: .seconds(5))
    await clock.advance(by: .seconds(4))
    await #expect(throws: TestClock.SuspensionError.self) { try await clock.checkSuspension() }
    await clock.advance(by: .seconds(1))
    try await slept
  }

  @Test("it runs to the end of all sleeps")
  func runToTheEnd() async throws {
    async let slept: Void = {
      for second in 1...10 { try await clock.sleep(for: .seconds(second)) }
    }()
    await clock.run()
    try await slept
    #expect(clock.now.offset == .seconds(55))
    try await clock.checkSuspension()
  }

  @Test("a clock on which somebody sleeps again and again fails the test")
  func noEnd() async {
    let ticks = Task(executorPreference: TestRun.running.executor) {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    var line = 0
    let failures = await failures {
      line = #line + 1
      await clock.run(wakingAtMost: 20)
    }
    expectOne(
      failures, atLine: line, containing: "shows 20.0 seconds", "sleeps until 21.0 seconds")
    ticks.cancel()
  }

  @Test("whoever sleeps where nobody should is told of")
  func suspension() async {
    async let slept: Void? = try? clock.sleep(for: .seconds(5))
    let error = await #expect(throws: TestClock.SuspensionError.self) {
      try await clock.checkSuspension()
    }
    #expect("\(error!)".contains("until 5.0 seconds"))
    await clock.advance(by: .seconds(5))
    await slept
  }

  @Test("tasks that are on no executor of the test are waited for")
  func unstructured() async {
    let tasks = [1, 2].map { second in
      Task { try await clock.sleep(for: .seconds(second)) }
    }
    await clock.sleepers(atLeast: 2)
    await clock.advance(by: .seconds(1))
    #expect(await tasks[0].result.isSuccess)
    await clock.advance(by: .seconds(1))
    #expect(await tasks[1].result.isSuccess)
  }

  @Test("a time that goes back is not")
  func back() async {
    await clock.advance(by: .seconds(2))
    await clock.advance(to: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(2))
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
