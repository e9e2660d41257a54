import ComposableResources
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Reports of what a test uses")
struct ReportsTests {
  /// The failures of an operation in a new test scope, as text.
  private func failures(
    reporting reports: DependencyReports,
    _ update: @Sendable (inout Dependencies) -> Void = { _ in },
    _ operation: () async -> Void
  ) async -> [String] {
    let failures = await collectFailures {
      await DependencyScope.isolated().run {
        await withTestDependencies(reporting: reports, update) { await operation() }
      }
    }
    return failures.map { $0.comments.map(\.rawValue).joined() }
  }

  @Test("a default that the test doesn't set fails it once, with key, property, remedy and origin")
  func defaults() async throws {
    let failures = await failures(reporting: .defaults) {
      for _ in 0..<3 { _ = DependencyScope.current[FetchKey.self] }
      _ = DependencyScope.current.mailer
    }
    try #require(failures.count == 2)
    #expect(
      failures[0].contains("The default of `FetchKey` was read, but the test doesn't set it."))
    #expect(failures[0].contains("as in `.dependencies { $0.… = … }`"))
    #expect(
      failures[0].contains(
        "The value of `FetchKey` is its default: FetchKey.testValue, or else defaultValue."))
    #expect(failures[1].contains("The default of \\.mailer (MailerKey) was read, "))
    #expect(failures[1].contains("as in `.dependencies { $0.mailer = … }`"))
  }

  @Test("a report ends with the call of `withTestDependencies` that asks for it")
  func ended() async {
    let failures = await failures(reporting: []) {
      withTestDependencies(reporting: .defaults) {}
      _ = DependencyScope.current[LimitKey.self]
      await withTestDependencies(reporting: .defaults) { await Task.yield() }
      _ = DependencyScope.current[NameKey.self]
    }
    #expect(failures == [])
  }

  @Test("reports are the same if the operation is synchronous")
  func synchronous() async {
    let failures = await TestSupport.failures {
      withTestDependencies(reporting: [.defaults, .unusedOverrides]) {
        $0[LimitKey.self] = 5
        $0[NameKey.self] = "n"
      } operation: {
        _ = (DependencyScope.current[NameKey.self], DependencyScope.current[NumberKey.self])
      }
    }
    #expect(failures.count == 2, "\(failures)")
    #expect(failures.first?.message.contains("NumberKey") == true, "\(failures)")
    #expect(failures.last?.message.contains("overrides `LimitKey`, but nothing reads it") == true)
  }

  @Test("an override, a global value and an overridden default aren't reported as defaults")
  func setDependencies() async {
    let failures = await failures(reporting: .defaults) {
      $0[LimitKey.self] = 5
    } _: {
      _ = DependencyScope.current[LimitKey.self]
      Dependencies.setGlobally { $0[NameKey.self] = "n" }
      _ = DependencyScope.current[NameKey.self]
      _ = DependencyScope.current.with(\.number, 3)
    }
    #expect(failures == [])
  }

  @Test("what a default reads is charged to the default, and what a shared key is made from is not")
  func nestedDefaults() async {
    let nested = await failures(reporting: .defaults) {
      _ = DependencyScope.current[DoubledKey.self]
    }
    #expect(nested.count == 1 && nested.first?.contains("DoubledKey") == true)
    let shared = await failures(reporting: .defaults) {
      _ = DependencyScope.current[SharedLimitKey.self]
    }
    #expect(shared.count == 1)
    #expect(shared.first?.contains("to make the shared `SharedLimitKey`") == true)
    let made = await failures(reporting: .defaults) {
      $0[LimitKey.self] = 5
    } _: {
      _ = DependencyScope.current[SharedLimitKey.self]
    }
    #expect(made == [])
  }

  @Test("an override that neither a task, a default nor an inner scope reads fails the test")
  func unused() async {
    let failures = await failures(reporting: .unusedOverrides) {
      $0[LimitKey.self] = 5
      $0[NameKey.self] = "n"
      $0.number = 1
      $0.mailer = "unused"
    } _: {
      async let name = DependencyScope.current[NameKey.self]
      _ = await name
      _ = DependencyScope.current[DoubledKey.self]
      await Task {
        await Task { _ = DependencyScope.current.with { $0[NameKey.self] = "m" }.number }.value
      }
      .value
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("overrides \\.mailer (MailerKey), but nothing") == true)
    #expect(failures.first?.contains("set at ComposableTestingTests/ReportsTests.swift:") == true)
  }

  @Test("an unused override is named by its property, even if nothing has ever read that")
  func unusedName() async throws {
    let failures = await failures(reporting: .unusedOverrides) {
      $0.neverRead = 1
    } _: {
    }
    let failure = try #require(failures.first)
    #expect(failure.contains("overrides \\.neverRead (NeverReadKey), but"), "\(failure)")
    #expect(failure.contains("The value of \\.neverRead (NeverReadKey) is an override, set at"))
  }

  @Test("an override of a suite's trait is unused only if no test of the suite reads it")
  func suites() async throws {
    let test = try #require(Test.current)
    func failures(readers: [Bool]) async throws -> Int {
      let trait: DependenciesTrait = .dependencies(reporting: .unusedOverrides) {
        $0[LimitKey.self] = 5
      }
      return try await collectFailures {
        try await judged(trait, test) {
          for reads in readers {
            try await judged(trait, test) {
              try await trait.provideScope(for: test, testCase: Test.Case.current) {
                if reads { _ = DependencyScope.current[LimitKey.self] }
              }
            }
          }
        }
      }.count
    }
    #expect(try await failures(readers: [false, true]) == 0)
    #expect(try await failures(readers: [true, false]) == 0)
    #expect(try await failures(readers: [false, false]) == 1)
  }

  @Test("an override of an explored test is unused only if no schedule reads it")
  func exploredOverrides() async throws {
    let test = try #require(Test.current)
    func failures(reads: Bool) async throws -> Int {
      let trait: DependenciesTrait = .dependencies(reporting: .unusedOverrides) {
        $0[LimitKey.self] = 5
      }
      return try await collectFailures {
        try await judged(trait, test) {
          let runner = ScheduleRunner([trait]) {
            if reads { _ = DependencyScope.current[LimitKey.self] }
          }
          for _ in 0..<2 { _ = await runner.run(.given(.plain), seed: 0) }
        }
      }.count
    }
    #expect(try await failures(reads: true) == 0)
    #expect(try await failures(reads: false) == 1)
  }

  private func judged(
    _ trait: DependenciesTrait, _ test: Test, _ operation: () async throws -> Void
  ) async throws {
    try await trait.judging(test, isWanted: true) { try await operation() }
  }

  @Test(
    "an explored test is judged over all of its schedules", .exploring(schedules: 4),
    .dependencies(reporting: [.unusedOverrides, .defaults]) { $0.number = 8 })
  func explored() async {
    async let number = DependencyScope.current.number
    async let explanation = DependencyScope.current.explain(\.number)
    #expect(await number == 8)
    #expect(await explanation.entries.first?.place != nil)
  }

  // Another trait than those of dependencies doesn't ask for it.
  @Test(
    "a test that doesn't ask for it may have an override that nothing reads", .bug(id: 1),
    .dependencies { $0[LimitKey.self] = 9 })
  func unasked() {}

  @Test("a test's scope explains its values", .dependencies { $0.number = 8 })
  func explain() {
    let text = DependencyScope.current.explain(\.number).description
    #expect(text.contains(" = 8\n") && text.contains("overridden at ComposableTestingTests/"))
    #expect(!DependencyScope.current.explain().description.contains("TestRun"))
  }
}

@Suite(
  "An override that one test of a suite reads",
  .dependencies(reporting: .unusedOverrides) { $0[LimitKey.self] = 9 })
struct SharedSetUpTests {
  @Test("the first test reads it")
  func reads() {
    #expect(DependencyScope.current[LimitKey.self] == 9)
  }

  @Test("the second test doesn't", arguments: [1, 2])
  func readsNot(number: Int) {
    #expect(number > 0)
  }

  @Suite("A nested suite") struct Nested {
    @Test(
      "reads it in one of its cases", .dependencies { $0[NameKey.self] = "m" }, arguments: [1, 2])
    func reads(number: Int) {
      if number == 2 { #expect(DependencyScope.current[NameKey.self] == "m") }
    }
  }
}

private enum LimitKey: DependencyKey { static var defaultValue: Int { 3 } }
private enum NameKey: DependencyKey { static var defaultValue: String { "" } }
private enum NumberKey: DependencyKey { static var defaultValue: Int { 4 } }
private enum NeverReadKey: DependencyKey { static var defaultValue: Int { 0 } }
private enum FetchKey: DependencyKey {
  static var defaultValue: @Sendable (Int) -> Int { { $0 } }
}
private enum DoubledKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current[LimitKey.self] * 2 }
}
private enum SharedLimitKey: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { needs[LimitKey.self] }
}

extension Dependencies {
  fileprivate var limit: Int { self[LimitKey.self] }
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
  fileprivate var neverRead: Int {
    get { self[NeverReadKey.self] }
    set { self[NeverReadKey.self] = newValue }
  }
}
