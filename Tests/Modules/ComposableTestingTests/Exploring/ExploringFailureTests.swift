import Testing

@testable import ComposableTesting

@Suite("Reports of an exploration")
struct ExploringFailureTests {
  @Test("a test in which nothing can run fails immediately, and names what waits")
  func deadlock() async throws {
    let found = try await issues {
      try await explore(schedules: 100) {
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
      message.contains("The test hasn't ended, but nothing can run and no task sleeps."))
    #expect(message.contains("The test waits since step 1."), "\(message)")
    #expect(message.contains("task 1 “reader” has ended, or waits since step 4."), "\(message)")
    #expect(message.contains(#"explore(replaying: "")"#), "\(message)")
  }

  @Test("an issue that a stopped test records isn't reported")
  func afterStop() async throws {
    let found = try await issues {
      try await explore(schedules: 5) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await _ in stream {}
        Issue.record("the stream has ended, because the test was cancelled")
        withExtendedLifetime(continuation) {}
      }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("nothing can run") == true)
  }

  @Test("a stopped test that would sleep forever ends")
  func sleepsAfterStop() async throws {
    let found = try await issues {
      try await explore(schedules: 5) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        while true { try? await sleep(.seconds(1)) }
      }
    }
    #expect(found.count == 1, "\(found)")
  }

  @Test("a test that doesn't end fails after a number of steps")
  func restless() async throws {
    let found = try await issues {
      try await explore(schedules: 5) { while true { await Task.yield() } }
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("after 200,000 steps") == true, "\(found)")
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
    let result = await Explorer([]) {
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
    #expect(await explorer.search(200).exploration?.schedules == 200)
  }

  @Test("an issue outside the schedule's scope fails the schedule, too")
  func outsideScope() async throws {
    let found = try await issues {
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

  /// Explores a body that fails in some of its runs, as one that uses a static variable may.
  private func reports(
    ofRunsIn fails: @escaping @Sendable (_ run: Int) -> Bool,
    after work: @escaping @Sendable () async -> Void = {}
  ) async throws -> [Failure] {
    let runs = Shared(0)
    return try await issues {
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
    #expect(message.contains("a static variable"), "\(message)")
  }

  @Test("a body that fails from its second run on is reported as such")
  func changed() async throws {
    let message = try #require(try await reports(ofRunsIn: { $0 > 1 }).last?.message)
    #expect(message.contains("now also in the plain order"), "\(message)")
    #expect(message.contains("a static variable"), "\(message)")
  }

  @Test("work that leaves the executor and changes the result is named")
  func outside() async throws {
    let found = try await reports(ofRunsIn: { $0.isMultiple(of: 5) }) { await MainActor.run {} }
    let message = try #require(found.last?.message)
    #expect(message.contains("but not every time"), "\(message)")
    #expect(message.contains("left the test's executor"), "\(message)")
    #expect(message.contains("comes from outside the executor"), "\(message)")
    #expect(message.contains("unstructured"), "\(message)")
  }

  @Test("a detour through the main actor is awaited", .exploring(schedules: 20))
  func mainActor() async {
    #expect(await MainActor.run { 7 } == 7)
    #expect(await Task.detached { 8 }.value == 8)
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

@Suite("Invalid explorations")
struct ExploringInputTests {
  private func expectOne(
    containing texts: String..., of operation: @escaping @Sendable () async throws -> Void
  ) async throws {
    let found = try await issues(of: operation)
    #expect(found.count == 1, "\(found)")
    for text in texts { #expect(found.first?.message.contains(text) == true, "\(found)") }
  }

  @Test("a number of schedules below one is reported", arguments: [0, -1])
  func numbers(schedules: Int) async throws {
    try await expectOne(
      containing: "`schedules` is \(schedules)", "Instead: pass a positive number"
    ) {
      try await explore(schedules: schedules) { Issue.record("never runs") }
    }
    try await expectOne(containing: "`schedules` is \(schedules)") {
      try await ExploringTrait.exploring(schedules: schedules).provideScope(
        for: try #require(Test.current), testCase: nil
      ) { Issue.record("never runs") }
    }
  }

  @Test("the environment variable raises the number, and is validated")
  func environment() async throws {
    let place = #_sourceLocation
    #expect(ExploringInput.schedules(5, at: place, environment: nil) == 5)
    #expect(ExploringInput.schedules(5, at: place, environment: "100") == 100)
    #expect(ExploringInput.schedules(500, at: place, environment: "100") == 500)
    for text in ["", "0", "-3", "many"] {
      try await expectOne(containing: "EXPLORE_SCHEDULES") {
        #expect(ExploringInput.schedules(5, at: place, environment: text) == nil)
      }
    }
  }

  @Test("a token that doesn't fit is reported, with what to run instead")
  func misfit() async throws {
    let token = "0.1/4/123456"
    try await expectOne(containing: "doesn't fit this test", "explore { … }` without") {
      try await explore(replaying: token) {
        try await sideBySide({ await Task.yield() }, { await Task.yield() })
      }
    }
    try await expectOne(containing: "doesn't fit this test", ".exploring()` in place of") {
      try await ExploringTrait.replaying(token).provideScope(
        for: try #require(Test.current), testCase: nil
      ) { await Task.yield() }
    }
  }

  @Test(
    "an invalid token is reported",
    arguments: [
      "abc", "1/2", "1.1/2/xyz", "1.0/2/12", "5.1/3/12", "2.1+1.1/4/12", "1.1+1.1/4/12",
      "-1.1/4/12", "1.1/4/12/g",
      "1.1/4/12/0/1", "3-1.1/4/12", "1-9.1/4/12", "1-2-3.1/4/12", "1-.1/4/12",
      "99999999999999999999.1/4/12", "1.1/99999999999/12",
    ])
  func noToken(text: String) async throws {
    #expect(ScheduleToken(text) == nil)
    try await expectOne(containing: "isn't the token of a schedule", text) {
      try await explore(replaying: text) { Issue.record("never runs") }
    }
  }

  @Test("`.replaying` together with `.exploring` is reported")
  func both() async throws {
    try await expectOne(containing: "both `.replaying` and `.exploring`", "remove `.exploring`") {
      #expect(ExploringTrait.fails(overBoth: [.exploring(), .replaying("")]))
    }
    #expect(!ExploringTrait.fails(overBoth: [.exploring(), .exploring()]))
    #expect(!ExploringTrait.fails(overBoth: [.replaying("")]))
  }

  @Test("an exploration inside another is reported")
  func nested() async throws {
    let found = try await issues {
      try await explore(schedules: 3) {
        try await explore(schedules: 3) { Issue.record("never runs") }
      }
    }
    #expect(
      found.first?.message.contains("inside a test whose schedules are already explored") == true)
  }
}
