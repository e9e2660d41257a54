package import ComposableDependencies
internal import Synchronization
internal import Testing

/// What the stores and clocks of one running test share.
package final class TestRun: Sendable {
  /// The default time that a test waits for something that may never happen.
  package static let limit = Duration.seconds(5)

  /// Runs the effects of all of the test's stores, in one order.
  package let executor: TestExecutor
  /// Reports what the test reads.
  let ledger = TestLedger()

  package init() {
    executor = TestExecutor()
  }

  /// Creates a run of the test in a chosen order.
  init(exploring run: ScheduleRun) {
    executor = TestExecutor(exploring: run)
  }

  /// The run of the current test.
  ///
  /// The current scope knows it if a trait created the scope. Otherwise there is one run per test
  /// case, and outside of Swift Testing one for the process, whose tests run one after the other.
  package static var running: TestRun {
    if let run = TestScope.testRun { return run }
    return TestCaseID.current.map(runs.run) ?? ofProcess
  }

  private static let ofProcess = TestRun()
  private static let runs = RunningTests()

  /// Waits until all tasks on the executor have ended or wait for something else.
  package func settle(within limit: Duration = limit, at place: CallSite) async {
    if await executor.idle(within: limit) == .timedOut { failOverUnrest(at: place) }
  }

  /// Describes when a wait times out that has a limit.
  func end(of limit: Duration) -> String {
    executor.explored == nil ? "after \(limit)" : "where nothing else can run"
  }

  let clocks = Mutex<[WeakClock]>([])

  func add(_ clock: TestClock) {
    clocks.withLock { clocks in
      clocks.removeAll { $0.clock == nil }
      clocks.append(WeakClock(clock: clock))
    }
  }

  /// The tasks that sleep on the clocks of the test.
  var sleepers: [SleepingTask] { livingClocks.flatMap(\.sleepers) }

  /// What the clocks of the test show.
  var times: [TestClock.Instant] { livingClocks.map(\.now) }

  private var livingClocks: [TestClock] { clocks.withLock { $0 }.compactMap(\.clock) }

  private let isOver = Atomic(false)

  /// Whether the test has ended, if its trait knows.
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  func end() {
    isOver.store(true, ordering: .relaxed)
  }

  private let storeCount = Atomic(0)
  private static let storeCountOfAll = Atomic(0)

  /// Counts a store that the test creates or releases.
  func countStore(_ change: Int) {
    storeCount.add(change, ordering: .relaxed)
    Self.storeCountOfAll.add(change, ordering: .relaxed)
  }

  /// Whether the running test has a store; outside of tests, whether any test has one.
  static var hasStore: Bool {
    guard let test = TestCaseID.current else {
      return storeCountOfAll.load(ordering: .relaxed) > 0
    }
    return runs[test].map { $0.storeCount.load(ordering: .relaxed) > 0 } ?? false
  }
}

struct WeakClock {
  weak let clock: TestClock?
}

/// The test run of a scope that a trait created.
package enum TestRunKey: ReportingKey {
  package static var defaultValue: TestRun? { nil }
}

extension Dependencies {
  package var testRun: TestRun? {
    get { self[TestRunKey.self] }
    set { self[TestRunKey.self] = newValue }
  }
}

/// Identifies a case of a test.
struct TestCaseID: Hashable {
  let test: Test.ID
  let `case`: String?

  static var current: TestCaseID? {
    Test.current.map { TestCaseID(test: $0.id, case: Test.Case.current.map(identity)) }
  }

  /// Identifies the cases of a test by their arguments.
  ///
  /// Swift Testing doesn't expose the identity of a case; cases that look alike share a run.
  private static func identity(of testCase: Test.Case) -> String {
    guard testCase.isParameterized else { return "" }
    return Mirror(reflecting: testCase).children
      .filter { $0.label != "body" }
      .map { String(reflecting: $0.value) }
      .joined()
  }
}

/// The runs of tests whose scope doesn't know them, kept while a store or a clock uses them.
final class RunningTests: Sendable {
  struct WeakRun {
    weak let run: TestRun?
  }

  let runs = Mutex<[TestCaseID: WeakRun]>([:])

  subscript(id: TestCaseID) -> TestRun? { runs.withLock { $0[id]?.run } }

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
