import Testing

@testable import ComposableTesting

@Suite("The executor of a test")
struct TestExecutorTests {
  private actor Worker {
    func work() async { for _ in 0..<3 { await Task.yield() } }
  }

  @Test("is idle when every task on it has ended or waits, with their children and actors")
  func idle() async {
    let (executor, log, worker) = (TestExecutor(), Log(), Worker())
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
      #expect(await executor.idle(within: .seconds(60)) == .fulfilled)
      #expect(log.lines.count == (round + 1) * 4)
      continuation.finish()
      await task.value
    }
  }

  @Test("those who wait for it go on one after the other, each until it waits again")
  func waitsInTurn() async {
    let (executor, log) = (TestExecutor(), Log())
    await withTaskExecutorPreference(executor) {
      await withDiscardingTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            for step in 0..<2 {
              _ = await executor.idle(within: .seconds(60))
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

  @Test("does not wait for another test's")
  func others() async {
    let (busy, executor) = (TestExecutor(), TestExecutor())
    let task = Task(executorPreference: busy) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(await executor.idle(within: .seconds(60)) == .fulfilled)
    #expect(await busy.idle(within: .milliseconds(10)) == .timedOut)
    task.cancel()
    #expect(await busy.idle(within: .seconds(60)) == .fulfilled)
  }

  @Test("time is up after its steps, and later where no task gets to run")
  func countdown() {
    func steps(_ countdown: Countdown) -> Int {
      var steps = 1
      while !countdown.step() { steps += 1 }
      return steps
    }
    #expect(steps(Countdown { job in job() }) == 10)
    #expect(steps(Countdown { _ in }) == 1000)
  }
}
