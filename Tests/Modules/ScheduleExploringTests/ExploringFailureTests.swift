import Dispatch
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Reports of an exploration", .tooLongUnderSanitizers)
struct ExploringFailureTests {
  @Test("a test in which nothing can run fails after its timeout, and names what waits")
  func deadlock() async throws {
    let found = try await expectIssues(
      containing: "The test waits 0.05 seconds for work that leaves",
      "The test waits since step 1.", "task 1 “reader”", "has ended, or waits since step 2.",
      #"explore(replaying: "")"#
    ) {
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
    #expect(
      found[0].message.hasPrefix(
        "This test is deadlocked or waits for work outside its executor in schedule 1 of 100"))
  }

  @Test("expectations that fail in a schedule are reported at their own lines")
  func places() async throws {
    let found = try await expectIssues(3) {
      _ = try? await explore(schedules: 100) {
        let order = try await orderOfTwo()
        #expect(order == "ab")
        try #require(order != "ba")
      }
    }
    let (first, second) = (found[0].location, found[1].location)
    #expect(first?.fileID == #fileID && first?.line == #line - 5 && first?.column == 9)
    #expect(second?.fileID == #fileID && second?.line == #line - 5 && second?.column == 13)
    #expect(!found[2].message.contains("It throws"), "\(found)")
  }

  @Test("a stopped test that sleeps in spite of its cancellation ends, and records no more issues")
  func afterStop() async throws {
    try await expectIssues(containing: "nothing can run", "Replay it: `explore(replaying: \"\")") {
      try await explore(schedules: 5, timeout: .milliseconds(50)) {
        await untilCancelled()
        for _ in 0..<100 { try? await sleep(.seconds(1)) }
        Issue.record("the stream has ended, because the test was cancelled")
      }
    }
  }

  @Test("a test that doesn't end fails after a number of steps")
  func restless() async throws {
    try await expectIssues(containing: "doesn't end in schedule 1 of 5", "The test keeps running") {
      try await explore(schedules: 5) { while !Task.isCancelled { await Task.yield() } }
    }
  }

  @Test("a task that waits in a loop doesn't keep others from running")
  func spinning() async {
    let runner = ScheduleRunner([]) {
      let isDone = Shared(false)
      let wait = { @Sendable in while !isDone.value { await Task.yield() } }
      try await sideBySide(wait, wait) {
        await Task.yield()
        isDone.update { $0 = true }
      }
    }
    let exploration = await runner.search(200).exploration
    #expect(exploration?.schedules == 200 && exploration?.isExhaustive == false)
  }

  /// An issue that isn't recorded.
  private static func issue(
    at place: Testing.SourceLocation = #_sourceLocation
  ) throws -> Issue {
    let issue = Shared<Issue?>(nil)
    withKnownIssue {
      Issue.record("stray", sourceLocation: place)
    } matching: { found in
      issue.update { $0 = found }
      return true
    }
    return try #require(issue.value)
  }

  @Test("an issue of a detached task or of a queue fails the schedule in which it happens")
  func stray() async throws {
    let above = try Self.issue()
    let issues = Shared<ScheduleIssues?>(nil)
    let runner = ScheduleRunner([]) {
      let (issues, stray) = (issues.value!, try Self.issue())
      switch try await orderOfTwo() {
      // Known by its thread.
      case "ba": await Task.detached { issues.noteStray(above) }.value
      default:
        // Known by its line.
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            issues.noteStray(stray)
            issues.noteStray(above)
            continuation.resume()
          }
        }
      }
    }
    issues.update { $0 = runner.issues }
    for schedule in [.plain, Schedule(switches: [.init(choice: 0, index: 1)])] {
      let found = await runner.run(.given(schedule), seed: 0).issues
      #expect(found.count == 1 && found.allSatisfy(\.isStray), "\(found)")
    }
  }

  @Test("an issue outside the schedule's scope fails the schedule, too")
  func outsideScope() async throws {
    let found = try await expectIssues(2, containing: "This test fails in schedule 1 of 5") {
      try await explore(schedules: 5) {
        await DependencyScope.root.run {
          await Task.yield()
          Issue.record("outside")
        }
      }
    }
    #expect(found[0].message == "outside")
  }

  /// Records an issue when it is freed.
  private final class NoisyError: Error {
    let (issues, issue): (ScheduleIssues, Issue)

    init(_ issues: ScheduleIssues, _ issue: Issue) { (self.issues, self.issue) = (issues, issue) }

    deinit { issues.note(issue) }
  }

  @Test("the next schedule may free an error that records an issue when it is freed")
  func noisyError() async throws {
    let (issue, issues) = (try Self.issue(), Shared<ScheduleIssues?>(nil))
    let runner = ScheduleRunner([]) {
      if try await orderOfTwo() == "ba" { throw NoisyError(issues.value!, issue) }
    }
    issues.update { $0 = runner.issues }
    #expect(await runner.search(10).finding != nil)
    _ = await runner.run(.plain)
  }

  @Test("an exploration that fails returns the number of schedules up to the failing one")
  func returned() async throws {
    try await expectIssues(2, containing: "fails in schedule 2 of 100") {
      let exploration = try await explore(schedules: 100) {
        if try await orderOfTwo() == "ba" { Issue.record("the order is wrong") }
      }
      #expect(exploration == Exploration(schedules: 2))
    }
  }

  /// Explores a body that fails in some of its runs, as one that uses a static variable may.
  ///
  /// - Returns: The report.
  private func reports(
    _ count: Int, ofRunsIn fails: @escaping @Sendable (_ run: Int) -> Bool,
    after work: @escaping @Sendable () async -> Void = {}
  ) async throws -> String {
    let runs = Shared(0)
    return try await expectIssues(count) {
      try await explore(schedules: 100) {
        try await sideBySide(work, { await Task.yield() }, { await Task.yield() })
        runs.update { $0 += 1 }
        if fails(runs.value) { Issue.record("this run fails") }
      }
    }[count - 1].message
  }

  @Test("a body that depends on an earlier run is reported as such", .needsWholeSight)
  func leftovers() async throws {
    let message = try await reports(1, ofRunsIn: { $0 == 7 })
    #expect(message.contains("schedule 7 of 100 (seed 0), but not every time"), "\(message)")
    #expect(message.contains("At first:  Issue recorded at ExploringFailureTests"), "\(message)")
    #expect(message.contains("Then:      no failure\n"), "\(message)")
    #expect(message.contains("a static variable"), "\(message)")
  }

  @Test("a failure that doesn't come again while its issues are recorded is reported as such")
  func unrecorded() async throws {
    // The first schedule fails, and again, and then passes.
    let message = try await reports(1, ofRunsIn: { $0 < 3 })
    #expect(message.contains("schedule 1 of 100 (seed 0), but not every time"), "\(message)")
    #expect(message.contains("Then:      no failure\n"), "\(message)")
  }

  @Test("a body that fails from its second run on is reported as such")
  func changed() async throws {
    let message = try await reports(2, ofRunsIn: { $0 > 1 })
    #expect(message.contains("now also in the plain order"), "\(message)")
    #expect(!message.contains("They differ"), "\(message)")
    #expect(message.contains("Then:      Issue recorded at "), "\(message)")
  }

  @Test("work that leaves the executor and changes the result is named")
  func outside() async throws {
    let message = try await reports(1, ofRunsIn: { $0.isMultiple(of: 5) }) {
      await QueueActor().run { _ in }
    }
    #expect(message.contains("but not every time"), "\(message)")
    #expect(message.contains("A task left the test's executor"), "\(message)")
    #expect(message.contains("comes from outside the executor\n"), "\(message)")
  }

  @Test("a failure has no token if work left the executor")
  func noToken() async throws {
    let found = try await expectIssues(
      2, containing: "No token replays it exactly.", ": test comes from outside the executor\n"
    ) {
      try await explore(schedules: 100) {
        await QueueActor().run { _ in }
        Issue.record("it fails")
      }
    }
    #expect(!found[1].message.contains("Replay it"), "\(found)")
  }

  @Test("a replay that doesn't fit says so if work left the executor")
  func misfitOutside() async throws {
    let found = try await expectIssues(containing: "Tasks left the test's executor") {
      try await explore(replaying: "0.1/4/123456") { await QueueActor().run { _ in } }
    }
    #expect(!found[0].message.contains("The code has changed"), "\(found)")
  }

  @Test(
    "outside of Swift Testing, thrown errors and this module's assertions fail a schedule")
  func withoutTest() async {
    let outcome = await Task.detached {
      await ScheduleRunner([]) { TestFailure.record("it fails", at: #_sourceLocation) }.search(5)
    }.value
    #expect(outcome.finding?.result.issues.map(\.kind) == ["it fails"])
    let thrown = await Task.detached {
      await ScheduleRunner([]) { throw WentWrong(description: "it throws") }.search(5)
    }.value
    #expect(thrown.finding?.number == 1)
  }

  @Test("what the test itself reports once fails each schedule in which it is read, with its key")
  func reportsOfTest() async throws {
    let found = try await expectIssues(2, containing: "Shrunk to 1 switch") {
      _ = try await withTestDependencies(reporting: .defaults) {
        try await explore(schedules: 100) {
          if try await orderOfTwo() == "ba" { _ = DependencyScope.current.mailer }
        }
      }
    }
    #expect(found[0].message.contains("MailerKey"), "\(found)")
  }

  @Test("an exploration that is cancelled after a failure names it, and how to replay it")
  func cancelledAfterFailure() async throws {
    let runs = Shared(0)
    try await expectIssues(
      containing: "fails in schedule 2 of 100 (seed 0), and was cancelled",
      "Failure:   Issue recorded at ExploringFailureTests",
      "Replay it: `explore(replaying: \"2.1/"
    ) {
      await #expect(throws: CancellationError.self) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let isThird = Gate()
          group.addTask {
            _ = try await explore(schedules: 100) {
              let order = try await orderOfTwo()
              runs.update { $0 += 1 }
              if runs.value == 3 {
                isThird.open()
                await untilCancelled()
              }
              if order == "ba" { Issue.record("the order is wrong") }
            }
          }
          await isThird.wait()
          group.cancelAll()
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("a cancelled exploration ends")
  func cancelled() async throws {
    let runs = Shared(0)
    let task = Task {
      try await explore(schedules: 1_000_000) {
        runs.update { $0 += 1 }
        await runTasks(Array(repeating: 10, count: 9))
      }
    }
    while runs.value < 3 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
