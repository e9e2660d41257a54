import ComposableReducers
import Synchronization
import Testing

@testable import ComposableTesting

@Suite("A run of a test")
struct TestRunTests {
  private let run = TestRun.running

  @Test("is the same throughout a test")
  func same() async {
    #expect(TestRun.running === run)
    async let child = TestRun.running
    #expect(await child === run)
    #expect(await Task { TestRun.running }.value === run)
    #expect(await Task.detached { TestRun.running }.value !== run)
  }

  @Test("is the scope's, if the scope has one")
  func ofScope() {
    let other = TestRun()
    DependencyScope.root.with(\.testRun, other).run {
      #expect(TestRun.running === other)
    }
    #expect(TestRun.running !== other)
  }

  private static let met = Mutex<[ObjectIdentifier: Int]>([:])
  private static let kept = Mutex<[TestRun]>([])

  @Test("differs for each case of a test", arguments: 0..<20)
  func cases(number: Int) {
    // Retained, so that no later one has the same address.
    Self.kept.withLock { $0.append(run) }
    let previous = Self.met.withLock { $0.updateValue(number, forKey: ObjectIdentifier(run)) }
    // Only a repeated test meets the retained run, not another case.
    #expect(previous == nil || previous == number)
  }

  @Test(
    "is the test's throughout a trait, also in values that the trait creates",
    .dependencies { $0.clock = TestClock() })
  func ofTrait() async throws {
    #expect(TestRun.running === DependencyScope.current.testRun)
    #expect(await Task.detached(in: .current) { TestRun.running }.value === TestRun.running)
    let clock = try #require(DependencyScope.current.clock as? TestClock)
    async let slept: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    try await slept
  }

  @Test("ends with the outermost `withTestDependencies` of a test")
  func end() async throws {
    var runs: [TestRun] = []
    await DependencyScope.isolated().run {
      await withTestDependencies {
        let run = TestRun.running
        await withTestDependencies { await Task.yield() }
        #expect(!run.hasEnded)
        runs.append(run)
      }
    }
    #expect(runs.map(\.hasEnded) == [true])
    let run = DependencyScope.isolated().run {
      withTestDependencies {
        let run = TestRun.running
        withTestDependencies {}
        #expect(!run.hasEnded)
        return run
      }
    }
    #expect(run.hasEnded)
  }

  @Test("is kept only while something uses it, and so are its clocks")
  func kept() throws {
    let (runs, test) = (RunningTests(), try #require(Test.current).id)
    let first = runs.run(of: TestCaseID(test: test, case: "first"))
    for number in 0..<10 { _ = runs.run(of: TestCaseID(test: test, case: "\(number)")) }
    #expect(runs.runs.withLock { $0.count } == 2)
    #expect(runs.run(of: TestCaseID(test: test, case: "first")) === first)
    DependencyScope.root.with(\.testRun, first).run { for _ in 0..<10 { _ = TestClock() } }
    #expect(first.clocks.withLock { $0.count } == 1)
  }
}
