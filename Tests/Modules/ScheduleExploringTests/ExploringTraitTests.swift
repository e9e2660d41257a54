import Foundation
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("The trait that explores", .tooLongUnderSanitizers, .dependencies { $0.counter = Counter() })
struct ExploringTraitTests {
  /// Runs a body like a test with the trait.
  private static func run(
    _ trait: ExploringTrait, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await trait.provideScope(
      for: try #require(Test.current), testCase: Test.Case.current, performing: body)
  }

  private static let runs = Shared<[String: Int]>([:])
  private let value = Shared(0)

  private func countRun(_ name: String) {
    Self.runs.update { $0[name, default: 0] += 1 }
  }

  @Test(
    "each schedule has its own suite value, scope and store", .exploring(schedules: 50))
  func fresh() async {
    countRun("fresh")
    #expect(value.value == 0)
    value.update { $0 += 1 }
    // Set for each schedule by the closure of the suite's other trait.
    #expect(DependencyScope.current.counter.next() == 1)
    #expect(DependencyScope.current.mailer == "test")
    DependencyScope.current.setGlobally { $0.mailer = "global" }
    #expect(DependencyScope.current.mailer == "global")
    await sixYields()
  }

  private func sixYields() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<6 { group.addTask { await Task.yield() } }
    }
  }

  @Test(
    "closures of `.dependencies` run once per schedule, in any order of traits",
    .dependencies { $0.a += 1 }, .exploring(schedules: 20), .dependencies { $0.a *= 10 })
  func order() async {
    #expect(DependencyScope.current.a == 20)
    #expect(DependencyScope.current.counter.next() == 1)
    await sixYields()
  }

  @Test(
    "each case of a parameterized test is explored", .exploring(schedules: 30),
    arguments: [1, 2, 3])
  func cases(number: Int) async {
    countRun("cases \(number)")
    await sixYields()
  }

  @Suite("In an explored suite", .exploring(schedules: 25))
  struct InSuite {
    @Test("by the trait of the suite")
    func inherited() async throws {
      #expect(ScheduleRun.current != nil)
    }

    @Test("by the test's own trait", .exploring(schedules: 5))
    func own() async throws {
      ExploringTraitTests().countRun("own")
      await ExploringTraitTests().sixYields()
    }
  }

  @Test("the innermost of several traits determines the number of schedules")
  func innermost() async throws {
    let outer = ExploringTrait.exploring(schedules: 40)
    let count = Shared(0)
    try await Self.run(outer) {
      // In the way that an inner trait is called, in each schedule.
      try await Self.run(.exploring(schedules: 5)) {
        count.update { $0 += 1 }
        await withDiscardingTaskGroup { group in
          for _ in 0..<6 { group.addTask { await Task.yield() } }
        }
      }
    }
    #expect(count.value == 40)
  }

  @Test(
    "only one failing schedule is reported: its issues in place, and one with the token")
  func reported() async throws {
    let bug = OrderingBug.checkThenAct
    let runs = Shared(0)
    let found = try await recordedIssues {
      try await Self.run(.exploring(schedules: 1_000)) {
        runs.update { $0 += 1 }
        do { try await bug.buggy() } catch { Issue.record("overdrawn") }
      }
    }
    #expect(runs.value > 5)
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.message == "overdrawn")
    #expect(found.first?.location?.line == #line - 6)
    let message = try #require(found.last?.message)
    #expect(found.last?.location == Test.current?.sourceLocation)
    #expect(message.contains("of 1,000 (seed 0). Shrunk to 1 switch (▸)"), "\(message)")
    #expect(message.contains("is about to call"), "\(message)")
    #expect(
      message.contains(#/Replay it: `\.replaying\("[0-9.+-]+/[0-9]+/[0-9a-f]{6}"\)`/#), "\(message)"
    )
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
    let errors = Shared(0)
    let found = try await recordedIssues {
      do {
        try await Self.run(.exploring(), OrderingBug.lostUpdate.buggy)
      } catch is WentWrong {
        errors.update { $0 += 1 }
      }
    }
    #expect(errors.value == 1)
    #expect(found.count == 1, "\(found)")
  }

  @Test("a test prints the number of its schedules if all have run")
  func summary() {
    let all = Exploration(schedules: 1_680, isExhaustive: true)
    #expect(
      ExploringTrait.summary(of: all, name: "search") == "Explored “search”: all 1,680 schedules.")
    let some = Exploration(schedules: 1_000, isExhaustive: false)
    #expect(ExploringTrait.summary(of: some, name: "search") == nil)
  }

  @Test("a test that passes names the steps at which tasks came from outside its executor")
  func outsideSummary() throws {
    let left = Exploration(schedules: 2, isExhaustive: false, stepsFromOutside: ["step 4: test"])
    let summary = try #require(ExploringTrait.summary(of: left, name: "search"))
    #expect(summary.hasPrefix("Explored “search”: 2 schedules, and no other order of"))
    #expect(summary.contains("\n    step 4: test\n  Instead: override what uses"), "\(summary)")
  }

  @Test("a known issue isn't a failure", .exploring(schedules: 20))
  func knownIssue() async {
    await sixYields()
    withKnownIssue { _ = Issue.record("known") }
  }

  @Test("a misuse of the library fails the schedule in which it happens")
  func misuse() async throws {
    let found = try await recordedIssues {
      try await Self.run(.exploring(schedules: 10)) {
        DependencyIssue(problem: "Misused.", remedy: "not.", fileID: #fileID, line: #line).report()
      }
    }
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.message.contains("Misused.") == true)
  }
}
