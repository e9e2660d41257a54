import TestSupport
import Dispatch
import Synchronization
import Testing

@testable import TestRuntime

@Suite("The executor of a test")
struct TestExecutorTests {
  private actor Worker {
    func work() async { for _ in 0..<3 { await Task.yield() } }
  }

  @Test("is idle when every task on it has ended or waits, with their children and actors")
  func idle() async {
    let (executor, log, worker) = (TestExecutor(order: JobOrder()), Log(), Worker())
    for round in 0..<200 {
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      let task = Task(executorPreference: executor) {
        await withTaskGroup { group in
          for child in 0..<3 {
            group.addTask {
              for _ in 0...child { await Task.yield() }
              await worker.work()
              log.append("\(round)")
            }
          }
        }
        log.append("\(round)")
        for await _ in stream {}
      }
      #expect(await executor.order.idle(within: Countdown(.seconds(600))) == .fulfilled)
      #expect(log.lines.count == (round + 1) * 4)
      #expect(executor.order.record.choices.isEmpty, "nothing is chosen, so nothing is kept")
      continuation.finish()
      await task.value
    }
  }

  @Test("tasks that wait for it continue one at a time, each until it waits again")
  func waitsInTurn() async {
    let (executor, log) = (TestExecutor(order: JobOrder()), Log())
    await withTaskExecutorPreference(executor) {
      await withDiscardingTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            for step in 0..<2 {
              _ = await executor.order.idle(within: Countdown(.seconds(60)))
              log.append("\(name)\(step)")
              await Task.yield()
              log.append("\(name)\(step)")
            }
          }
        }
      }
    }
    #expect(
      log.lines == ["a0", "a0", "b0", "b0", "c0", "c0", "a1", "a1", "b1", "b1", "c1", "c1"])
  }

  @Test("doesn't wait for another test's executor")
  func others() async {
    let (busy, executor) = (
      TestExecutor(order: JobOrder()), TestExecutor(order: JobOrder())
    )
    let task = Task(executorPreference: busy) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(await executor.order.idle(within: Countdown(.seconds(600))) == .fulfilled)
    #expect(await busy.order.idle(within: Countdown(.milliseconds(10))) == .timedOut)
    task.cancel()
    #expect(await busy.order.idle(within: Countdown(.seconds(600))) == .fulfilled)
  }

  @Test("a limit may be longer than any time", arguments: [Int64.max, 9_223_372_036])
  func longest(seconds: Int64) async {
    let (limit, wait) = (
      Countdown(Duration(secondsComponent: seconds, attosecondsComponent: 999_999_999_999_999_999)),
      Wait()
    )
    async let outcome = limit.outcome(of: wait)
    wait.finish(.fulfilled)
    #expect(await outcome == .fulfilled)
  }

  @Test("no limit is up while a place is looked up, however long that takes")
  func lookUp() async {
    let countdown = Countdown(.milliseconds(10))
    for _ in 0..<1_000 {
      #expect(!countdown.count(isPaused: true))
      await Task.yield()
    }
    while !countdown.count(isPaused: false) { await Task.yield() }
  }

  @Test("a short limit isn't up while the main actor is busy")
  func busyMainActor() async {
    let isOver = DispatchSemaphore(value: 0)
    // Long enough for a limit that is up before the main actor has run.
    func keepBusy() -> DispatchTimeoutResult { isOver.wait(timeout: .now() + .seconds(1)) }
    let busy = Mutex<Task<DispatchTimeoutResult, Never>?>(nil)
    await withCheckedContinuation { continuation in
      let task = Task { @MainActor in
        continuation.resume()
        return keepBusy()
      }
      busy.withLock { $0 = task }
    }
    let limit = Countdown(.milliseconds(1))
    #expect(await limit.outcome(of: Wait()) == .timedOut)
    isOver.signal()
    #expect(await busy.withLock { $0 }?.value == .timedOut)
  }

  @Test("a limit leaves a task as many turns on a busy main actor as it has milliseconds")
  func turns() async {
    let (wait, isOver) = (Wait(), Shared(false))
    // Whoever waits for a turn of the main actor waits for one round of this.
    let others = Task { @MainActor in
      while !isOver.value {
        spin(.milliseconds(20))
        await Task.yield()
      }
    }
    // On a thread of its own, because turns of the pool may take longer.
    let slow = Task(executorPreference: TestExecutor(order: JobOrder())) {
      for _ in 0..<30 { await MainActor.run {} }
      isOver.update { $0 = true }
      wait.finish(.fulfilled)
    }
    let limit = Countdown(.milliseconds(100))
    #expect(await limit.outcome(of: wait) == .fulfilled)
    await slow.value
    await others.value
  }

  private func spin(_ time: Duration) {
    let end = ContinuousClock.now.advanced(by: time)
    while ContinuousClock.now < end {}
  }

  @Test("jobs that block leave threads for the queues that they wait for", .timeLimit(.minutes(10)))
  func blocking() async {
    let counts = Shared((running: 0, most: 0))
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask(executorPreference: TestExecutor(order: JobOrder())) {
          counts.update {
            $0.running += 1
            $0.most = max($0.most, $0.running)
          }
          let signal = DispatchSemaphore(value: 0)
          DispatchQueue(label: "work").asyncAfter(deadline: .now() + .milliseconds(2)) {
            signal.signal()
          }
          block(until: signal)
          counts.update { $0.running -= 1 }
        }
      }
    }
    #expect(counts.value.most <= 8)
  }

  /// Blocks the thread, which asynchronous code may not do itself.
  private func block(until signal: DispatchSemaphore) {
    signal.wait()
  }

  @Test("several waits share one time limit, which leaves no time once it is up")
  func oneTime() async {
    let executor = TestExecutor(order: JobOrder())
    let (limit, wait) = (Countdown(.milliseconds(50)), Wait())
    wait.finish(.fulfilled)
    #expect(await limit.outcome(of: wait) == .fulfilled)
    #expect(await limit.outcome(of: Wait()) == .timedOut)
    let late = Task(executorPreference: executor) {
      let wait = Wait()
      Task(executorPreference: executor) { wait.finish(.fulfilled) }
      return await limit.outcome(of: wait)
    }
    #expect(await late.value == .timedOut)
  }

  @Test("a wait whose time is up doesn't end the others")
  func otherWaits() async {
    let (executor, isDone) = (
      TestExecutor(order: JobOrder()), DispatchSemaphore(value: 0)
    )
    // One job, because a wait also ends after many. Other tests decide how many run in a time.
    let busy = Task(executorPreference: executor) { block(until: isDone) }
    async let other = executor.order.idle(within: Countdown(.seconds(600)))
    #expect(await executor.order.idle(within: Countdown(.milliseconds(10))) == .timedOut)
    isDone.signal()
    #expect(await other == .fulfilled)
    await busy.value
  }

  @Test("the main actor's stand-in serves one test after the other")
  func standIns() {
    // Other tests take some of them meanwhile.
    let standIns = (0..<1_000).map { _ in
      ObjectIdentifier(TestExecutor(order: JobOrder()).mainActor)
    }
    #expect(Set(standIns).count < 500)
  }

  private actor OnStandIn {
    let standIn: MainActorStandIn
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe standIn.asUnownedSerialExecutor()
    }

    init(_ standIn: MainActorStandIn) { self.standIn = standIn }

    func executor() -> TestExecutor? { RunningExecutors.shared.current }
  }

  @Test(
    "the main actor's stand-in runs jobs of its test, and none of older tasks", .needsWholeSight)
  func olderTasks() async {
    for (root, isOwn) in [(1, true), (.max - 1, false)] as [(UInt64, Bool)] {
      let executor = TestExecutor(order: JobOrder(isWhole: true), root: root)
      #expect((await OnStandIn(executor.mainActor).executor() === executor) == isOwn)
    }
  }
}
