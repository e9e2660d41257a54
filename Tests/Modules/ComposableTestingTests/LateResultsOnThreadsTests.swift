import Foundation
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers
@testable import ComposableTesting

/// What arrives after a test has stopped to wait for it, on a thread that nothing orders.
@Suite("Late results on threads")
struct LateResultsOnThreadsTests {
  @Test("an action is reduced after one that was abandoned, and sees its state")
  func actions() async {
    for _ in 0..<3 {
      let run = TestRun()
      let isReleased = Count()
      let reducer = Reducer<Int, Bool, Void> { state, isBlocking, _ in
        if isBlocking { while isReleased.value == 0 { sched_yield() } }
        state += 1
        return .none
      }
      let engine = StoreEngine(
        initialState: 0, reducer: reducer, environment: (),
        log: StoreLog(state: 0, in: run), on: run.executor)
      func send(_ isBlocking: Bool, within limit: Duration) async -> Int? {
        await engine.send(isBlocking, within: TimeLimit(limit, on: run.executor))?.after
      }
      #expect(await send(true, within: .milliseconds(1)) == nil)
      #expect(await send(false, within: .seconds(60)) == nil)
      isReleased.increment()
      var state: Int?
      while state == nil { state = await send(false, within: .seconds(60)) }
      #expect(state == 2)
    }
  }

  @Test("the reads of an action are counted while a thread continues to read")
  func reads() async {
    let members = ManyKeys.first(100)
    for _ in 0..<20 {
      let hasEnded = Count()
      let reducer = Reducer<Int, Bool, Void> { _, _, _ in
        let scope = DependencyScope.current
        Thread {
          for member in members { _ = scope[member: member] }
          hasEnded.increment()
        }.start()
        return .none
      }
      await withTestDependencies {
        let store = TestStore(initialState: 0, reducer: reducer, environment: ())
        let found = await failures { await store.send(true, using: []) }
        #expect(found.count <= members.count)
        await store.finish()
      }
      while hasEnded.value == 0 { await Task.yield() }
    }
  }

  @Test("a misuse is reported while the handler is replaced")
  func misuse() async {
    await #expect(processExitsWith: .success) {
      let passedOn = Count()
      DependencyIssue.replaceHandler { _ in passedOn.increment() }
      onTwoThreads(rounds: 100) { round, isFirst in
        if !isFirst {
          DependencyIssue(problem: "wrong", remedy: "right", fileID: "App/Main.swift", line: 7)
            .report()
        } else if round == 50 {
          Misuse.failsTests()
        }
      }
      #expect(passedOn.value == 100)
    }
  }
}
