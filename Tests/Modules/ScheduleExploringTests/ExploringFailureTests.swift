import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("Reports of an exploration", .tooLongUnderSanitizers)
struct ExploringFailureTests {
  @Test("a test in which nothing can run fails after its timeout, and names what waits")
  func deadlock() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 100, timeout: .milliseconds(50)) {
        let lock = AsyncLock()
        await withTaskGroup { group in
          group.addTask(name: "reader") {
            await Task.yield()
            await lock.lock()
            await lock.lock()
          }
        }
      }
    }
    #expect(found.count == 1, "\(found)")
    let message = try #require(found.first?.message)
    #expect(
      message.hasPrefix(
        "This test is deadlocked or waits for work outside its executor in schedule 1 of 100"))
    #expect(message.contains("The test waits 0.05 seconds for work that leaves"), "\(message)")
    #expect(message.contains("The test waits since step 1."), "\(message)")
    #expect(message.contains("task 1 “reader” has ended, or waits since step 5."), "\(message)")
    #expect(message.contains(#"explore(replaying: "")"#), "\(message)")
  }

  @Test("expectations that fail in a schedule are reported at their own lines")
  func places() async throws {
    let found = try await recordedIssues {
      _ = try? await explore(schedules: 100) {
        let order = try await orderOfTwo()
        #expect(order == "ab")
        try #require(order != "ba")
      }
    }
    try #require(found.count == 3, "\(found)")
    let (first, second) = (found[0].location, found[1].location)
    #expect(first?.fileID == #fileID && first?.line == #line - 6 && first?.column == 9)
    #expect(second?.fileID == #fileID && second?.line == #line - 6 && second?.column == 13)
  }

  @Test("a stopped test that sleeps in spite of its cancellation ends, and records no more issues")
  func afterStop() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 5, timeout: .milliseconds(50)) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await _ in stream {}
        for _ in 0..<100 { try? await sleep(.seconds(1)) }
        Issue.record("the stream has ended, because the test was cancelled")
        withExtendedLifetime(continuation) {}
      }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("nothing can run") == true)
  }

  @Test("a test that doesn't end fails after a number of steps")
  func restless() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 5) { while !Task.isCancelled { await Task.yield() } }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("doesn't end in schedule 1 of 5") == true, "\(found)")
  }

  @Test("steps are counted up to a limit, and recorded up to another")
  func limits() async {
    let result = await Explorer([]) { while true { await Task.yield() } }.traced(.plain)
    #expect(result.record.steps == 200_000)
    #expect(result.trace?.steps.count == 20_000)
  }

  @Test("a stopped test is cancelled, which isn't work outside its executor")
  func cancelledByStop() async {
    let log = Log()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let result = await Explorer([], timeout: .milliseconds(50)) {
      for await _ in stream {}
      log.append("cancelled: \(Task.isCancelled)")
    }.traced(.plain)
    #expect(result.failures.map(\.kind) == ["nothing can run"])
    #expect(log.lines == ["cancelled: true"])
    #expect(result.outsideCount == 0)
    withExtendedLifetime(continuation) {}
  }

  @Test("a task that waits in a loop doesn't keep others from running")
  func spinning() async {
    let explorer = Explorer([]) {
      let isDone = Shared(false)
      try await sideBySide(
        { while !isDone.value { await Task.yield() } },
        { while !isDone.value { await Task.yield() } },
        {
          await Task.yield()
          isDone.update { $0 = true }
        })
    }
    let exploration = await explorer.search(200).exploration
    #expect(exploration == Exploration(schedules: 200, isExhaustive: false))
  }

  @Test("an issue outside the schedule's scope fails the schedule, too")
  func outsideScope() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 5) {
        await DependencyScope.root.run {
          await Task.yield()
          Issue.record("outside")
        }
      }
    }
    #expect(found.map(\.message).first == "outside")
    #expect(found.last?.message.contains("This test fails in schedule 1 of 5") == true, "\(found)")
  }

  @Test("an exploration that fails returns the number of schedules up to the failing one")
  func returned() async throws {
    let exploration = Shared<Exploration?>(nil)
    let found = try await recordedIssues {
      let result = try await explore(schedules: 100) {
        let order = try await orderOfTwo()
        if order == "ba" { Issue.record("the order is wrong") }
      }
      exploration.update { $0 = result }
    }
    #expect(found.last?.message.contains("fails in schedule 2 of 100") == true, "\(found)")
    #expect(exploration.value == Exploration(schedules: 2, isExhaustive: false))
  }

  /// Explores a body that fails in some of its runs, as one that uses a static variable may.
  private func reports(
    ofRunsIn fails: @escaping @Sendable (_ run: Int) -> Bool,
    after work: @escaping @Sendable () async -> Void = {}
  ) async throws -> [Failure] {
    let runs = Shared(0)
    return try await recordedIssues {
      try await explore(schedules: 100) {
        try await sideBySide(work, { await Task.yield() }, { await Task.yield() })
        runs.update { $0 += 1 }
        if fails(runs.value) { Issue.record("this run fails") }
      }
    }
  }

  @Test("a body that depends on an earlier run is reported as such")
  func leftovers() async throws {
    let found = try await reports(ofRunsIn: { $0 == 7 })
    #expect(found.count == 1, "\(found)")
    let message = try #require(found.first?.message)
    #expect(message.contains("schedule 7 of 100 (seed 0), but not every time"), "\(message)")
    #expect(message.contains("At first:  Issue recorded at ExploringFailureTests"), "\(message)")
    #expect(message.contains("Then:      no failure\n"), "\(message)")
    #expect(message.contains("a static variable"), "\(message)")
    #expect(message.contains("`Int.random`, `Date()`"), "\(message)")
  }

  @Test("a body that fails from its second run on is reported as such")
  func changed() async throws {
    let message = try #require(try await reports(ofRunsIn: { $0 > 1 }).last?.message)
    #expect(message.contains("now also in the plain order"), "\(message)")
    #expect(!message.contains("They differ"), "\(message)")
    #expect(message.contains("Then:      Issue recorded at "), "\(message)")
    #expect(message.contains("a static variable"), "\(message)")
  }

  @Test("work that leaves the executor and changes the result is named")
  func outside() async throws {
    let found = try await reports(ofRunsIn: { $0.isMultiple(of: 5) }) { await MainActor.run {} }
    let message = try #require(found.last?.message)
    #expect(message.contains("but not every time"), "\(message)")
    #expect(message.contains("left the test's executor"), "\(message)")
    #expect(message.contains("comes from outside the executor"), "\(message)")
    #expect(message.contains("goes to the main actor"), "\(message)")
  }

  @Test("a failure has no token if work left the executor")
  func noToken() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 100) {
        await MainActor.run {}
        Issue.record("it fails")
      }
    }
    #expect(found.count == 2, "\(found)")
    let message = try #require(found.last?.message)
    #expect(!message.contains("Replay it"), "\(message)")
    #expect(message.contains("No token replays it exactly."), "\(message)")
    #expect(message.contains(": test comes from outside the executor\n"), "\(message)")
  }

  @Test("a replay that doesn't fit says so if work left the executor")
  func misfitOutside() async throws {
    let found = try await recordedIssues {
      try await explore(replaying: "0.1/4/123456") { await MainActor.run {} }
    }
    let message = try #require(found.last?.message)
    #expect(!message.contains("The code has changed"), "\(message)")
    #expect(message.contains("Tasks left the test's executor"), "\(message)")
  }

  @Test("a failed `#require` is reported once, and not as a description of its error")
  func requirement() async throws {
    let found = try await recordedIssues {
      do { try await explore(schedules: 5) { try #require(Bool(false)) } } catch {}
    }
    #expect(found.count == 2, "\(found)")
    #expect(found.last?.message.contains("ExpectationFailedError") == false, "\(found)")
    #expect(found.last?.message.contains("It throws") == false, "\(found)")
  }

  @Test(
    "outside of Swift Testing, thrown errors and this module's assertions fail a schedule")
  func withoutTest() async {
    let outcome = await Task.detached {
      await Explorer([]) { TestFailure.record("it fails", at: #_sourceLocation) }.search(5)
    }.value
    #expect(outcome.finding?.result.issues.map(\.kind) == ["it fails"])
    let thrown = await Task.detached {
      await Explorer([]) { throw WentWrong(description: "it throws") }.search(5)
    }.value
    #expect(thrown.finding?.number == 1)
  }

  @Test("what the test itself reports once fails each schedule in which it is read, with its key")
  func reportsOfTest() async throws {
    let found = try await recordedIssues {
      _ = try await withTestDependencies(reporting: .defaults) {
        try await explore(schedules: 100) {
          let order = try await orderOfTwo()
          if order == "ba" { _ = DependencyScope.current.mailer }
        }
      }
    }
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.message.contains("MailerKey") == true, "\(found)")
    #expect(found.last?.message.contains("Shrunk to 1 switch") == true, "\(found)")
  }

  @Test("an exploration that is cancelled after a failure names it, and how to replay it")
  func cancelledAfterFailure() async throws {
    let (isKnown, runs) = (Gate(), Shared(0))
    let exploration = Shared<Task<Void, any Error>?>(nil)
    let found = try await recordedIssues {
      let task = Task {
        await isKnown.wait()
        _ = try await explore(schedules: 100) {
          let order = try await orderOfTwo()
          runs.update { $0 += 1 }
          if runs.value == 3 { exploration.value?.cancel() }
          if order == "ba" { Issue.record("the order is wrong") }
        }
      }
      exploration.update { $0 = task }
      isKnown.open()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(found.count == 1, "\(found)")
    let message = try #require(found.first?.message)
    #expect(
      message.contains("fails in schedule 2 of 100 (seed 0), and was cancelled"), "\(message)")
    #expect(message.contains("Failure:   Issue recorded at ExploringFailureTests"), "\(message)")
    #expect(message.contains("Replay it: `explore(replaying: \"0.1/"), "\(message)")
  }

  @Test("a cancelled exploration ends")
  func cancelled() async throws {
    let runs = Shared(0)
    let task = Task {
      try await explore(schedules: 1_000_000) {
        runs.update { $0 += 1 }
        await withDiscardingTaskGroup { group in
          for _ in 0..<9 { group.addTask { for _ in 0..<9 { await Task.yield() } } }
        }
      }
    }
    while runs.value < 3 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
