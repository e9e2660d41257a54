import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Invalid explorations", .tooLongUnderSanitizers)
struct ExploringInputTests {
  private func expectOne(
    containing texts: String..., of operation: @escaping @Sendable () async throws -> Void
  ) async throws {
    let found = try await recordedIssues(of: operation)
    #expect(found.count == 1, "\(found)")
    for text in texts { #expect(found.first?.message.contains(text) == true, "\(found)") }
  }

  @Test("a number of schedules below one is reported", arguments: [0, -1])
  func numbers(schedules: Int) async throws {
    try await expectOne(
      containing: "`schedules` is \(schedules)", "Instead: pass a positive number"
    ) {
      let exploration = try await explore(schedules: schedules) { Issue.record("never runs") }
      #expect(exploration == Exploration(schedules: 0))
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
    // A younger job than there is.
    let token = "0.9/4/123456"
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
      "abc", "1/2", "1.1/2/xyz", "1.0/2/12", "5.1/3/12", "3.1/3/12", "2.1+1.1/4/12", "1.1+1.1/4/12",
      "-1.1/4/12", "1.1/4/12/g", "1..1/4/12", "1--2.1/4/12", "1.1//4/12",
      "1.1/4/12/0/1", "3-1.1/4/12", "1-9.1/4/12", "1-2-3.1/4/12", "1-.1/4/12", "7.1/", "7.1//",
      "7.1///", "1-999999999.1",
      "99999999999999999999.1/4/12", "1.1/99999999999/12",
      // A sum that's too large by two, and a fingerprint by one.
      "18446744073709551617.1/4/12", "1.1/4/100000000",
    ])
  func noToken(text: String) async throws {
    #expect(ScheduleToken(text) == nil)
    try await expectOne(containing: "isn't the token of a schedule", text) {
      try await explore(replaying: text) { Issue.record("never runs") }
    }
  }

  @Test("the largest fingerprint and seed are valid")
  func largest() {
    let token = ScheduleToken("1.1/4/ffffffff/ffffffffffffffff")
    #expect(token?.fit?.fingerprint == .max && token?.schedule.seed == .max)
  }

  @Test("a token is refused before it's expanded, if no schedule has so many choices")
  func longToken() {
    #expect(ScheduleToken("0-50000000.1/60000000/abcdef") == nil)
    #expect(ScheduleToken("0-50000000.1") == nil)
    #expect(ScheduleToken("0-999999.1/1000000/abcdef")?.schedule.switches.count == 1_000_000)
  }

  @Test("the token of a run that didn't end fits any run", arguments: ["3.1", "1-2.1+4.2///5f"])
  func tokenWithoutFit(text: String) throws {
    let token = try #require(ScheduleToken(text))
    #expect(token.text == text && token.fits(ChoiceRecord()))
    #expect(ScheduleToken(token.schedule) == token)
  }

  @Test("an exploration inside another is reported")
  func nested() async throws {
    let inner: [@Sendable () async throws -> Void] = [
      { try await explore(schedules: 3) { Issue.record("never runs") } },
      { try await explore(replaying: "") { Issue.record("never runs") } },
    ]
    for explore in inner {
      let found = try await recordedIssues {
        try await ComposableTesting.explore(schedules: 3) { try await explore() }
      }
      // The report of the outer exploration follows.
      #expect(found.count == 2, "\(found)")
      #expect(
        found.first?.message.contains("inside a test whose schedules are already explored") == true)
    }
  }
}
