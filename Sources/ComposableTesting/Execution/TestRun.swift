package import ComposableDependencies
internal import Synchronization
internal import Testing

/// What the stores and clocks of one running test share, and those of no other test see.
package final class TestRun: Sendable {
  /// How long a test waits for what may never come, unless it says otherwise.
  package static let limit = Duration.seconds(5)

  /// Runs the effects of the test's stores, in one order for all of them.
  package let executor = TestExecutor()

  package init() {}

  /// The one of the test that is running.
  ///
  /// The current scope knows it where a trait of the test has made the scope. Otherwise there is one
  /// for each test, and for each of its cases; and outside of tests that Swift Testing runs, one for
  /// the process, which runs its tests one after the other.
  package static var running: TestRun {
    if let run = TestScope.testRun { return run }
    guard let test = Test.current else { return ofProcess }
    return runs.run(of: TestCaseID(test: test.id, case: Test.Case.current.map(Self.identity)))
  }

  private static let ofProcess = TestRun()
  private static let runs = RunningTests()

  /// Tells the cases of a test apart, by their arguments.
  ///
  /// Swift Testing keeps what identifies a case to itself; cases that look alike share a run.
  private static func identity(of testCase: Test.Case) -> String {
    guard testCase.isParameterized else { return "" }
    return Mirror(reflecting: testCase).children
      .filter { $0.label != "body" }
      .map { String(reflecting: $0.value) }
      .joined()
  }

  /// Returns when everything that runs on the executor has ended, or waits for something else.
  package func settle(within limit: Duration = limit, at place: SourcePlace) async {
    if await executor.idle(within: limit) == .timedOut { failOverRestlessness(at: place) }
  }

  /// Fails because something runs on and on.
  func failOverRestlessness(at place: SourcePlace) {
    TestFailure.record(
      """
      The test does not come to rest: something in it runs on and on without ever waiting.
        Instead: let it wait for a value, a clock or a continuation, not yield in a loop.
      """, at: place)
  }
}

/// The test run of a scope that a trait has made.
package enum TestRunKey: DependencyKey {
  package static var defaultValue: TestRun? { nil }
}

extension Dependencies {
  package var testRun: TestRun? {
    get { self[TestRunKey.self] }
    set { self[TestRunKey.self] = newValue }
  }
}

private struct TestCaseID: Hashable {
  let test: Test.ID
  let `case`: String?
}

/// The runs of tests whose scope knows none, for as long as a store or a clock uses them.
private final class RunningTests: Sendable {
  private struct WeakRun {
    weak let run: TestRun?
  }

  private let runs = Mutex<[TestCaseID: WeakRun]>([:])

  func run(of id: TestCaseID) -> TestRun {
    runs.withLock { runs in
      if let run = runs[id]?.run { return run }
      runs = runs.filter { $0.value.run != nil }
      let run = TestRun()
      runs[id] = WeakRun(run: run)
      return run
    }
  }
}
