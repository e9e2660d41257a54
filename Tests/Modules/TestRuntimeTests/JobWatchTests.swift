import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job that blocks its thread")
struct JobWatchTests {
  private let watch = JobWatch()
  private let executor = TestExecutor(order: FirstInFirstOut())

  /// Lets a job run for long on an executor while another one waits.
  private func occupy(_ executor: TestExecutor) async {
    async let other: Void = Task(executorPreference: executor) {}.value
    while executor.runningJob == nil { await Task.yield() }
    for _ in 0..<20 { watch.check() }
    await other
  }

  private func expect(_ found: [Failure], isWarning: Bool, at place: Testing.SourceLocation?) {
    #expect(found.count == 1 && found.first?.isWarning == isWarning, "\(found)")
    #expect(place == nil || found.first?.location == place)
    let name = Test.current?.displayName ?? ""
    #expect(found.first?.message.contains("the test “\(name)” ran for 5.0 s") == true, "\(found)")
  }

  @Test("is warned of once, at the test's place, if something waits for it")
  func waitedFor() async {
    let place = #_sourceLocation
    let found = await failures {
      watch.add(executor, at: place)
      await Task(executorPreference: executor) { await occupy(executor) }.value
    }
    expect(found, isWarning: true, at: place)
  }

  @Test("doesn't fail a test that isn't explored: it may be a long computation")
  func withoutFailure() async {
    let found = await failures {
      await withTestDependencies {
        let executor = TestRun.running.executor
        async let other: Void = Task {}.value
        while executor.runningJob == nil { await Task.yield() }
        executor.runningJob.map(executor.runOthers)
        await other
      }
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test("fails its schedule")
  func explored() async {
    let found = await failures {
      let explorer = Explorer([]) {
        let executor = TestRun.running.executor
        watch.add(executor, at: #_sourceLocation)
        await occupy(executor)
      }
      let result = await explorer.run(.given(.plain), seed: 0)
      guard case .returned = result.ending else {
        Issue.record("\(result.ending)")
        return
      }
    }
    expect(found.filter { !$0.isWarning }, isWarning: false, at: nil)
    expect(found.filter(\.isWarning), isWarning: true, at: nil)
  }

  /// Blocks the thread, which asynchronous code may not do itself.
  ///
  /// For long, because on a busy machine the next task may run after half a minute.
  private func block(until signal: DispatchSemaphore) {
    #expect(signal.wait(timeout: .now() + 300) == .success)
  }

  @Test("lets others run beside it after a while, which may end it")
  func ends() async {
    // On a separate executor, which nothing else watches.
    let executor = TestExecutor(order: FirstInFirstOut())
    watch.add(executor, at: #_sourceLocation)
    let found = await failures {
      let (isBlocking, begin) = AsyncStream.makeStream(of: Never.self)
      async let test: Void = Task(executorPreference: executor) {
        let signal = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) { signal.signal() }
        begin.finish()
        block(until: signal)
      }.value
      for await _ in isBlocking {}
      for _ in 0..<20 { watch.check() }
      await test
    }
    expect(found, isWarning: true, at: nil)
  }

  /// Lets others run beside a job that blocks its thread.
  private static func runOthers(on executor: TestExecutor) {
    Thread.detachNewThread {
      var job = executor.runningJob
      // Until it's the same job for a while.
      repeat {
        job = executor.runningJob
        Thread.sleep(forTimeInterval: 0.05)
      } while job == nil || job != executor.runningJob
      job.map(executor.runOthers)
    }
  }

  /// Runs a body in a schedule, or on an executor.
  private static func run(
    isExplored: Bool, on executor: TestExecutor,
    _ body: @escaping @Sendable (TestExecutor) async -> Void
  ) async {
    if isExplored {
      _ = await Explorer([]) { await body(TestRun.running.executor) }.run(.given(.plain), seed: 0)
    } else {
      await Task(executorPreference: executor) { await body(executor) }.value
    }
  }

  @Test("lets jobs run that arrive from elsewhere after all others", arguments: [false, true])
  func lateArrivals(isExplored: Bool) async {
    let hasArrived = Shared(false)
    @Sendable func run(on executor: TestExecutor) async {
      let (signal, others) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let other: Void = { _ = others.signal() }()
      Self.runOthers(on: executor)
      Thread.detachNewThread {
        for next in [others, signal] {
          others.wait()
          Thread.sleep(forTimeInterval: 0.05)
          Task(executorPreference: executor) { next.signal() }
        }
      }
      func wait() -> Bool { signal.wait(timeout: .now() + 30) == .success }
      let isSignaled = wait()
      hasArrived.update { $0 = isSignaled }
      await other
    }
    _ = await failures { await Self.run(isExplored: isExplored, on: executor, run) }
    #expect(hasArrived.value)
  }

  @Test("of the main actor runs beside others, but not beside that actor's")
  func mainActor() async {
    _ = await failures {
      await withTestDependencies {
        let executor = TestRun.running.executor
        await Task { @MainActor in
          let signal = DispatchSemaphore(value: 0)
          Task { @MainActor in }
          Task.detached { signal.signal() }
          Self.runOthers(on: executor)
          block(until: signal)
        }.value
      }
    }
  }

  @Test("may wait for another one that blocks its thread", arguments: [false, true])
  func nested(isExplored: Bool) async {
    let count = Shared(0)
    @Sendable func run(on executor: TestExecutor) async {
      let signals = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
      @Sendable func wait(for signal: DispatchSemaphore) {
        Self.runOthers(on: executor)
        if signal.wait(timeout: .now() + 30) == .success { count.update { $0 += 1 } }
      }
      async let other: Void = {
        wait(for: signals[1])
        signals[0].signal()
      }()
      async let last: Void = { _ = signals[1].signal() }()
      wait(for: signals[0])
      _ = await (other, last)
    }
    _ = await failures { await Self.run(isExplored: isExplored, on: executor, run) }
    #expect(count.value == 2)
  }

  @Test("leaves the others in their order when it ends")
  func afterwards() async {
    let (isRunning, overlaps) = (Shared(false), Shared(0))
    await Task(executorPreference: executor) {
      let signal = DispatchSemaphore(value: 0)
      await withDiscardingTaskGroup { group in
        group.addTask { signal.signal() }
        for _ in 0..<20 {
          group.addTask {
            if isRunning.value { overlaps.update { $0 += 1 } }
            isRunning.update { $0 = true }
            Self.pause()
            isRunning.update { $0 = false }
          }
        }
        Self.runOthers(on: executor)
        block(until: signal)
      }
    }.value
    #expect(overlaps.value == 0)
  }

  private static func pause() { Thread.sleep(forTimeInterval: 0.005) }

  @Test("isn't warned of if nothing waits for it, or if it suspends")
  func others() async {
    watch.add(executor, at: #_sourceLocation)
    let found = await failures {
      await Task(executorPreference: executor) {
        for _ in 0..<20 { watch.check() }
      }.value
      await withTaskExecutorPreference(executor) {
        await withDiscardingTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<20 {
                watch.check()
                await Task.yield()
              }
            }
          }
        }
      }
    }
    #expect(found.isEmpty, "\(found)")
  }
}
