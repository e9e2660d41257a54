internal import TestRuntime

/// Runs a body in many orders of its tasks, and reports the simplest order in which it fails.
///
/// Like the trait ``Testing/Trait/exploring(schedules:seed:timeout:sourceLocation:)``, but for a part of a
/// test, and for tests of XCTest:
///
/// ```swift
/// func testNeverOverdraws() async throws {
///   try await explore(schedules: 500) {
///     let account = Account(balance: 100)
///     async let first = account.withdraw(80)
///     async let second = account.withdraw(80)
///     _ = try await (first, second)
///     guard await account.balance >= 0 else { throw Overdrawn() }
///   }
/// }
/// ```
///
/// Each schedule runs in its own scope, with a virtual clock. Inside a scope created for the test,
/// it adds to that scope, whose overrides and global values all schedules share.
///
/// With Swift Testing, a schedule fails if it records an issue or throws. XCTest doesn't expose its
/// failures, so with XCTest, a schedule fails if it throws, or if it fails an assertion of this
/// package.
///
/// - Parameters:
///   - schedules: The maximum number of schedules to run. The environment variable
///     `EXPLORE_SCHEDULES` can raise it.
///   - seed: The seed of random schedules. The same seed gives the same schedules.
///   - timeout: How long a schedule in which nothing can run waits for work outside the test's
///     executor, before it fails. If the schedule then doesn't end although it is canceled, it
///     stays suspended for as long as the process runs.
///   - fileID: The file that a failure names.
///   - filePath: The path of that file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
///   - body: Runs once per schedule.
/// - Returns: What ran, and what that proves. If tasks left the test's executor, it also prints the
///   steps.
/// - Throws: The error that the body throws in the reported schedule; `CancellationError` if the task
///   is cancelled.
@discardableResult
public func explore(
  schedules: Int = 1_000,
  seed: UInt64 = 0,
  timeout: Duration = .seconds(5),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
  let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column).location
  guard let schedules = ExploringInput.schedules(schedules, at: place),
    ExploringInput.isOutermost(at: place)
  else { return Exploration(schedules: 0) }
  let test = TestExploration(
    form: .function, name: "\(fileID):\(line)",
    runner: ScheduleRunner([], timeout: timeout, at: place, body))
  return try await test.explore(schedules: schedules, seed: seed)
}

/// Runs a body in the order of a token that
/// ``explore(schedules:seed:timeout:fileID:filePath:line:column:_:)`` reported.
///
/// ```swift
/// try await explore(replaying: "7.1/40/9f3c2a") { … }
/// ```
///
/// If the token doesn't fit, the test fails, because the code has changed.
///
/// - Parameters:
///   - token: The token of the failure; an empty token is the plain order.
///   - timeout: How long the body waits for work outside its executor when nothing can run.
///   - fileID: The file that a failure names.
///   - filePath: The path of that file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
///   - body: Runs once.
/// - Throws: The error that the body throws.
public func explore(
  replaying token: String,
  timeout: Duration = .seconds(5),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column).location
  guard let token = ExploringInput.token(token, at: place),
    ExploringInput.isOutermost(at: place)
  else { return }
  let test = TestExploration(
    form: .function, name: "\(fileID):\(line)",
    runner: ScheduleRunner([], timeout: timeout, at: place, body))
  try await test.replay(token)
}
