import TestSupport
import ComposableReducers
import Synchronization
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

@Suite("A run of a schedule")
struct ScheduleRunTests {
  private let run = JobOrder(strategy: .given(.plain), tracing: .steps)

  @Test("knows of a job that arrives just when the time is up")
  func arrivesLate() async {
    let isThere = Task.detached { [run] in
      await run.jobArrives(within: .seconds(600))
    }
    while run.state.withLock({ $0.waits.arrival == nil }) { await Task.yield() }
    let wait = run.state.withLock { state in
      _ = state.waitUntilIdle(Wait())
      return state.waits.arrival.take()
    }
    wait?.finish(.timedOut)
    #expect(await isThere.value)
  }

  @Test("runs an actor's jobs isolated to the actor")
  func isolation() async {
    await #expect(processExitsWith: .success) {
      let result = await ScheduleRunner([]) {
        await OnTestExecutor(executor: TestRun.ofScope!.executor).checkIsolation()
      }.traced(.plain)
      #expect(result.failures.isEmpty)
    }
  }

  @Test("gives up only waits that haven't ended")
  func givesUp() async {
    let wait = Wait()
    wait.finish(.fulfilled)
    #expect(await run.outcome(of: wait, within: Countdown(.seconds(600))) == .fulfilled)
    #expect(!run.giveUpWaiting())
  }

  @Test("ends what waits at its end, and what waits later")
  func waitsAtTheEnd() async {
    let executor = TestExecutor(order: run, root: 0)
    async let early = run.outcome(of: Wait(), within: Countdown(.seconds(600)))
    while run.state.withLock({ $0.waits.limited.isEmpty }) { await Task.yield() }
    run.end(on: executor)
    #expect(await early == .timedOut)
    #expect(await run.outcome(of: Wait(), within: Countdown(.seconds(600))) == .timedOut)
    #expect(await run.idle(within: Countdown(.seconds(600))) == .fulfilled)
  }

  @Test("lets the first hundred sleeps after its end end at once, and no more")
  func lateSleeps() {
    var waits = Waits()
    let last = (0..<102).map { _ in waits.sleepsLate() }
    #expect(last == Array(repeating: false, count: 100) + [true, true])
  }

  @Test("has no choices of tasks that run elsewhere")
  func choicesElsewhere() async {
    let result = await ScheduleRunner([]) {
      await QueueActor().run { _ in await JobOrder.explored?.choose("elsewhere") }
    }.traced(.plain)
    #expect(result.failures.isEmpty)
    #expect(result.trace?.steps.contains { $0.cause == .choice("elsewhere") } == false)
  }

  @Test("waits for jobs until a task elsewhere sleeps, or waits until nothing can run")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func arrivesMeanwhile() async {
    let executor = TestExecutor(order: run, root: 0)
    var arrival = Wait()
    run.state.withLock { $0.waits.arrival = arrival }
    let sleeping = Task.immediate { try? await run.sleep(until: .seconds(1)) }
    #expect(arrival.outcomeIfFinished == .fulfilled)
    #expect(await run.jobArrives(within: .zero))
    await run.drain(on: executor)
    await sleeping.value
    arrival = Wait()
    run.state.withLock { [arrival] in $0.waits.arrival = arrival }
    let waiting = Task.immediate { _ = await run.idle(within: Countdown(.seconds(60))) }
    #expect(arrival.outcomeIfFinished == .fulfilled)
    #expect(await run.jobArrives(within: .zero))
    await run.drain(on: executor)
    await waiting.value
  }

  @Test("lets tasks elsewhere wait until nothing else can run")
  func idleElsewhere() async {
    let result = await ScheduleRunner([]) {
      let clock = TestClock()
      await Task.detached(in: .current) { await clock.advance(by: .seconds(1)) }.value
      try require(clock.now.offset == .seconds(1), "the clock shows \(clock.now)")
    }.traced(.plain)
    #expect(result.failures.isEmpty, "\(result.failures)")
  }
}

private actor OnTestExecutor {
  let executor: TestExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(executor: TestExecutor) { self.executor = executor }

  func checkIsolation() { preconditionIsolated() }
}
