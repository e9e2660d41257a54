internal import TestRuntime
public import Testing

/// A trait that runs a test in many orders of its tasks, or in a recorded one.
///
/// Create it with ``Testing/Trait/exploring(schedules:seed:timeout:sourceLocation:)`` or
/// ``Testing/Trait/replaying(_:timeout:sourceLocation:)``.
public struct ExploringTrait: TestTrait, SuiteTrait, TestScoping {
  enum Mode: Sendable {
    case exploring(schedules: Int, seed: UInt64)
    case replaying(String)
  }

  let mode: Mode
  let timeout: Duration
  let sourceLocation: SourceLocation

  /// Always true, because a suite's trait applies to all of its tests.
  public var isRecursive: Bool { true }

  /// Runs one case of a test once per schedule, each time in a new scope.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Of several exploring traits, the outermost explores, with the settings of the innermost.
    if JobOrder.explored != nil { return try await function() }
    let trait = test.traits.compactMap { $0 as? ExploringTrait }.last ?? self
    let participants = test.traits.compactMap { $0 as? any ScheduleParticipant }
    // Each task that calls the function has ended when the closure returns, or rests.
    try await withoutActuallyEscaping(function) { function in
      let function = LentFunction(function)
      defer { function.giveBack() }
      let runner = ScheduleRunner(participants, timeout: trait.timeout, at: test.sourceLocation) {
        try await function()
      }
      try await trait.run(
        TestExploration(
          form: .trait, name: test.displayName ?? test.name, runner: runner))
    }
  }

  private func run(_ test: TestExploration) async throws {
    switch mode {
    case .exploring(let schedules, let seed):
      guard let schedules = ExploringInput.schedules(schedules, at: sourceLocation) else { return }
      _ = try await test.explore(schedules: schedules, seed: seed)
    case .replaying(let token):
      guard let token = ExploringInput.token(token, at: sourceLocation) else { return }
      try await test.replay(token)
    }
  }

  /// Whether the schedules of a test are explored, so that each has its own scope.
  package static func explores(_ test: Test) -> Bool {
    test.traits.contains { $0 is ExploringTrait }
  }
}

extension Trait where Self == ExploringTrait {
  /// Runs a test in many orders of its tasks, and reports the simplest order in which it fails.
  ///
  /// ```swift
  /// @Test(.exploring(schedules: 500)) func neverOverdraws() async throws {
  ///   let account = Account(balance: 100)
  ///   async let first = account.withdraw(80)
  ///   async let second = account.withdraw(80)
  ///   _ = try await (first, second)
  ///   #expect(await account.balance >= 0)
  /// }
  /// ```
  ///
  /// A *schedule* chooses which task runs next where a task starts or resumes (after a sleep, a yield, a
  /// stream, another task or a continuation). It can let others overtake a task that enters or leaves an
  /// actor that they use, too. Between two calls of actors in a row there is no choice: put `interleaved`
  /// or `await Task.yield()` there. It also chooses which calls of `interleaved(orThrowing:)` fail.
  ///
  /// The first schedule is the plain one: first in, first out. If the test has few enough schedules
  /// to run all of them, each runs once. Otherwise, those in which one task runs before another that
  /// was ready earlier, or one call fails, follow, then random ones. A test that passes prints what ran.
  ///
  /// Each schedule has its own suite value, scope and global store, and calls the closures of
  /// `.dependencies { … }`. Time is virtual: `\.continuousClock`,
  /// `\.suspendingClock` and `\.date` move to the next deadline when nothing can run. `\.uuid`
  /// counts up, and `\.randomNumberGenerator` follows the seed.
  ///
  /// The test shrinks a failing schedule to few failing calls and switches. It then records the issues
  /// of that schedule alone, with a table of what ran when, and a token for
  /// ``replaying(_:timeout:sourceLocation:)``. A schedule fails if its body hasn't ended and nothing can
  /// run.
  ///
  /// A schedule can't choose when work outside the test's executor runs: on actors with their own
  /// executors, on queues and threads. If tasks went there, a test that passes prints the number of
  /// schedules and the steps, and a failure has no token.
  ///
  /// - Parameters:
  ///   - schedules: The maximum number of schedules to run. The environment variable
  ///     `EXPLORE_SCHEDULES` can raise it.
  ///   - seed: The seed of random schedules. The same seed gives the same schedules.
  ///   - timeout: How long a schedule in which nothing can run waits for work outside the test's
  ///     executor, before it fails. If the schedule then doesn't end although it is canceled, it
  ///     stays suspended for as long as the process runs.
  ///   - sourceLocation: Where to report an invalid number.
  public static func exploring(
    schedules: Int = 1_000, seed: UInt64 = 0, timeout: Duration = .seconds(5),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self(
      mode: .exploring(schedules: schedules, seed: seed), timeout: timeout,
      sourceLocation: sourceLocation)
  }

  /// Not available: call it.
  @available(*, unavailable, message: "write `.exploring()`")
  public static var exploring: Self { exploring() }

  /// Runs a test in the order of a token that ``exploring(schedules:seed:timeout:sourceLocation:)``
  /// reported.
  ///
  /// ```swift
  /// @Test(.replaying("7.1/40/9f3c2a")) func neverOverdraws() async throws { … }
  /// ```
  ///
  /// The same token gives the same order, and so the same result; an empty token is the plain
  /// order. If the token doesn't fit, the test fails, because the code has changed.
  ///
  /// - Parameters:
  ///   - token: The token of the failure.
  ///   - timeout: How long the test waits for work outside its executor when nothing can run.
  ///   - sourceLocation: Where to report an invalid token.
  public static func replaying(
    _ token: String, timeout: Duration = .seconds(5),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self(mode: .replaying(token), timeout: timeout, sourceLocation: sourceLocation)
  }
}
