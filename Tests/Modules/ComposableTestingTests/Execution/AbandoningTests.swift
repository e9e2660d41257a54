import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ComposableTesting

@Suite("A job that blocks its thread")
struct AbandoningTests {
  /// Blocks an executor while an operation runs.
  ///
  /// The operation never suspends, so it is over long before the executor is freed by itself.
  private func blocking(
    _ executor: any TaskExecutor, then rest: @escaping @Sendable () async -> Void = {},
    _ operation: () -> Void
  ) -> Task<Void, Never> {
    let (isBlocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let blocking = Task(executorPreference: executor) {
      block(isBlocked, until: isOver)
      await rest()
    }
    isBlocked.wait()
    operation()
    isOver.signal()
    return blocking
  }

  private func block(_ isBlocked: DispatchSemaphore, until isOver: DispatchSemaphore) {
    isBlocked.signal()
    isOver.wait()
  }

  /// Records what is asked of it, and is asked by another thread in between.
  private final class Effects: EffectLog {
    let (run, events) = (TestRun(), Log())

    func description(of effect: ObjectIdentifier) -> String? { "an effect," }

    func abandon(_ effect: ObjectIdentifier) {
      events.append("abandon")
      if events.lines.count == 1 {
        run.failOverUnrest(
          at: CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
      }
    }

    func forget(_ effect: ObjectIdentifier) { events.append("forget") }
  }

  @Test("is waited for if it is an effect's, or if another job or a test waits")
  func isWaitedFor() async {
    let executor = TestExecutor()
    #expect(!executor.isWaitedFor)
    await blocking(executor) {
      #expect(!executor.isWaitedFor)
      Task(executorPreference: executor) {}
      #expect(executor.isWaitedFor)
    }.value
    let other = TestExecutor()
    await blocking(other) {
      #expect(!other.isWaitedFor)
      UseOnThreadsTests.start { _ = await other.idle(within: .seconds(60)) }
      while !other.isWaitedFor { sched_yield() }
    }.value
    let effects = Effects()
    let effect = EffectExecutor(
      of: ObjectIdentifier(effects), in: effects, on: effects.run.executor)
    await blocking(effect) { #expect(effects.run.executor.isWaitedFor) }.value
  }

  @Test("isn't reported if it ends, and then waits itself")
  func ends() async {
    let (executor, log) = (TestExecutor(), Log())
    await blocking(executor) {
      let outcome = await executor.idle(within: .seconds(60))
      log.append("\(outcome)")
    } _: {
      executor.forget(nil, abandoning: executor.runningJob)
      #expect(executor.runningJob == nil)
      #expect(executor.hasAbandonedJobs)
    }.value
    #expect(log.lines == ["fulfilled"])
    #expect(!executor.hasAbandonedJobs)
  }

  @Test("is abandoned after ten more checks of a watch, if something waits")
  func watch() async {
    let (executor, watch) = (TestExecutor(), BlockWatch())
    watch.add(executor)
    watch.add(TestExecutor())
    await blocking(executor) {
      for _ in 0..<11 { watch.check() }
      #expect(!executor.hasAbandonedJobs)
    }.value
    await blocking(executor) {
      Task(executorPreference: executor) {}
      for _ in 0..<10 { watch.check() }
      #expect(!executor.hasAbandonedJobs)
      watch.check()
      #expect(executor.hasAbandonedJobs)
    }.value
    #expect(watch.count == 1)
  }

  @Test("stops all waiting for its effect before that is forgotten, whichever thread reports it")
  func abandonsFirst() async {
    let effects = Effects()
    let executor = effects.run.executor
    let effect = EffectExecutor(of: ObjectIdentifier(effects), in: effects, on: executor)
    let found = await failures {
      await blocking(effect) { executor.forget(nil, abandoning: executor.runningJob) }.value
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("an effect, blocks its thread") == true, "\(found)")
    #expect(effects.events.lines == ["abandon", "abandon", "forget"])
  }
}
