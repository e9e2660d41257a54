import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The trait that explores", .tooLongUnderSanitizers, .dependencies { $0.counter = Counter() })
struct ExploringTraitTests {
  /// Runs a body like a test with the trait.
  private static func run(
    _ trait: ExploringTrait, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await trait.provideScope(
      for: try #require(Test.current), testCase: Test.Case.current, performing: body)
  }

  private let value = Shared(0)

  @Test(
    "each schedule has its own suite value, scope and store", .exploring(schedules: 50))
  func fresh() async {
    #expect(value.value == 0)
    value.update { $0 += 1 }
    // Set for each schedule by the closure of the suite's other trait.
    #expect(DependencyScope.current.counter.next() == 1)
    #expect(DependencyScope.current.mailer == "test")
    DependencyScope.current.setGlobally { $0.mailer = "global" }
    #expect(DependencyScope.current.mailer == "global")
    await runTasks([2, 2, 2, 2, 2, 2])
  }

  @Test(
    "closures of `.dependencies` run once per schedule, in any order of traits",
    .dependencies { $0.a += 1 }, .exploring(schedules: 20), .dependencies { $0.a *= 10 })
  func order() async {
    #expect(DependencyScope.current.a == 20)
    #expect(DependencyScope.current.counter.next() == 1)
    await runTasks([2, 2, 2, 2, 2, 2])
  }

  @Test(
    "each case of a parameterized test is explored", .exploring(schedules: 30), arguments: 1...3)
  func cases(number: Int) { #expect(JobOrder.explored != nil) }

  @Suite("A task that outlives an explored test")
  struct Outliving {
    private actor Cell { func touch() {} }

    private static func start() async {
      let forever = AsyncStream<Never> { _ in }
      Task { for await _ in forever {} }
      Task { @MainActor in for await _ in forever {} }
      let cell = Cell()
      Task {
        await cell.touch()
        for await _ in forever {}
      }
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { for await _ in forever {} }
      }
    }

    @Test("doesn't keep the test's function in an exploration", .exploring(schedules: 20))
    func explored() async { await Self.start() }

    @Test("doesn't keep the test's function in a replay", .replaying(""))
    func replayed() async { await Self.start() }
  }

  @Suite("In an explored suite", .exploring(schedules: 25))
  struct InSuite {
    private static let runs = Shared(0)

    @Test("a test is explored by the trait of the suite")
    func inherited() { #expect(JobOrder.explored != nil) }

    @Test("a test runs as often as its own trait says", .exploring(schedules: 5))
    func own() async {
      Self.runs.update { $0 += 1 }
      #expect(1...5 ~= Self.runs.value)
      await runTasks([2, 2, 2, 2, 2, 2])
    }
  }

  @Test("a trait inside an explored test leaves the exploration to the outer one")
  func inner() async throws {
    let count = Shared(0)
    try await Self.run(.exploring(schedules: 40)) {
      try await Self.run(.exploring(schedules: 5)) {
        count.update { $0 += 1 }
        await runTasks([2, 2, 2, 2, 2, 2])
      }
    }
    #expect(count.value == 40)
  }

  @Test(
    "only one failing schedule is reported: its issues in place, and one with the token")
  func reported() async throws {
    let runs = Shared(0)
    let found = try await expectIssues(
      2, containing: "of 1,000 (seed 0). Shrunk to 1 switch (▸)", "is about to call"
    ) {
      try await Self.run(.exploring(schedules: 1_000)) {
        runs.update { $0 += 1 }
        do { try await OrderingBug.checkThenAct.buggy() } catch { Issue.record("overdrawn") }
      }
    }
    #expect(runs.value > 5)
    #expect(found[0].message == "overdrawn" && found[0].location?.line == #line - 4)
    #expect(found[1].location == Test.current?.sourceLocation)
    #expect(
      found[1].message.contains(#/Replay it: `\.replaying\("[0-9.+-]+/[0-9]+/[0-9a-f]{6}"\)`/#))
  }

  /// Returns the token that a failure names.
  private static func token(in failures: [Failure]) throws -> String {
    let match = try #require(failures.last?.message.firstMatch(of: #/replaying(?:\(|: )"([^"]*)"/#))
    return String(match.1)
  }

  @Test("a token replays the failure, again and again", arguments: OrderingBug.all)
  func replayed(bug: OrderingBug) async throws {
    let body: @Sendable () async throws -> Void = {
      do { try await bug.buggy() } catch { Issue.record("\(error)") }
    }
    let found = try await recordedIssues {
      try await Self.run(.exploring(timeout: .milliseconds(50)), body)
    }
    let token = try Self.token(in: found)
    for _ in 0..<3 {
      let again = try await recordedIssues {
        try await Self.run(.replaying(token, timeout: .milliseconds(50)), body)
      }
      #expect(again.dropLast().map(\.message) == found.dropLast().map(\.message))
      #expect(again.last?.message.hasPrefix("The replayed schedule ") == true, "\(again)")
    }
  }

  @Test("the error of the reported schedule is thrown once")
  func thrown() async throws {
    try await expectIssues {
      await #expect(throws: WentWrong.self) {
        try await Self.run(.exploring(), OrderingBug.lostUpdate.buggy)
      }
    }
  }

  @Test("a test that passes prints what ran, and the steps outside")
  func summary() {
    let test = TestExploration(form: .trait, name: "search", runner: ScheduleRunner([]) {})
    let summary = test.summary(of:)
    #expect(
      summary(Exploration(schedules: 1_680, choices: 9, ranAll: true))
        == "Explored “search”: all 1,680 orders of its tasks' steps, with at most 9 choices.")
    #expect(
      summary(
        Exploration(schedules: 1_000, choices: 12, randomSchedules: 960, switches: 1))
          == """
          Explored “search”: 1,000 schedules with at most 12 choices: every order with at most 1 \
          switch, and 960 random ones.
          """)
    let text = summary(
      Exploration(schedules: 2, stepsFromOutside: ["step 4: test"]))
    #expect(text.hasPrefix("Explored “search”: 2 schedules, and no other order of"))
    #expect(text.contains("\n    step 4: test\n  Instead: override what uses"), "\(text)")
  }

  @Test("a known issue isn't a failure", .exploring(schedules: 20))
  func knownIssue() async {
    await runTasks([2, 2, 2, 2, 2, 2])
    withKnownIssue { _ = Issue.record("known") }
  }

  @Test("a misuse of the library fails the schedule in which it happens")
  func misuse() async throws {
    let found = try await expectIssues(2) {
      try await Self.run(.exploring(schedules: 10)) {
        DependencyIssue(problem: "Misused.", remedy: "not.", fileID: #fileID, line: #line).report()
      }
    }
    #expect(found[0].message.contains("Misused."))
  }
}
