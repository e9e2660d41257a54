import ComposableReducers
import Testing

@testable import ComposableTesting

@Suite("A run of a schedule")
struct ScheduleRunTests {
  private let run = ScheduleRun(strategy: .given(.plain), isTraced: true)

  @Test("takes jobs from any thread as jobs from outside while it runs none itself")
  func threads() {
    let executor = TestExecutor(exploring: run)
    run.start { _ = Task(executorPreference: executor) {} }
    #expect(run.outsideCount == 0)
    Task(executorPreference: executor) {}
    #expect(run.outsideCount == 1)
    guard case .idle = run.drain(on: executor) else {
      Issue.record("not idle")
      return
    }
    Task(executorPreference: executor) {}
    #expect(run.outsideCount == 2)
    run.finish(on: executor)
    Task(executorPreference: executor) {}
    #expect(run.outsideCount == 3)
  }

  @Test("gives up only waits that haven't ended")
  func givesUp() async {
    let wait = Wait()
    wait.end(.fulfilled)
    #expect(await run.outcome(of: wait) == .fulfilled)
    #expect(!run.giveUpWaiting())
  }

  @Test("has no choices of tasks that run elsewhere")
  func choicesElsewhere() async {
    let result = await Explorer([]) {
      await Task.detached(in: .current) {
        await TestScope.testRun?.executor.explored?.choose("elsewhere")
      }.value
    }.traced(.plain)
    #expect(result.failures.isEmpty)
    #expect(result.trace?.labels == [])
  }

  @Test("lets tasks elsewhere wait until nothing else can run")
  func idleElsewhere() async {
    let result = await Explorer([]) {
      let clock = TestClock()
      await Task.detached(in: .current) { await clock.advance(by: .seconds(1)) }.value
      try require(clock.now.offset == .seconds(1), "the clock shows \(clock.now)")
    }.traced(.plain)
    #expect(result.failures.isEmpty, "\(result.failures)")
  }
}
