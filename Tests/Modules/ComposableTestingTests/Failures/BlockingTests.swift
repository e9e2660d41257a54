import ComposableReducers
import ComposableTesting
import Dispatch
import Foundation
import Synchronization
import Testing

// Tests with effects that never release their thread. `FailuresTests` runs them in a separate
// process, and checks that they end.

private enum Action: Equatable {
  case wait
  case loop
  case sleep
  case leave
  case reduce
  case work
  case worked
}

enum BlockingLine {
  static let wait = #line + 11
  static let loop = #line + 12
  static let sleep = #line + 15
  static let leave = #line + 16
}

private let blockingReducer = Reducer<Int, Action, Void> { state, action, _ in
  let semaphore = DispatchSemaphore(value: 0)
  let isStopped = Atomic(false)
  switch action {
  case .wait:
    return .run { _ in block(on: semaphore) }
  case .loop:
    return .run { _ in
      while !isStopped.load(ordering: .relaxed) {}
    }
  case .sleep:
    return .run { _ in sleepForDays() }
  case .leave:
    return .run { _ in
      await MainActor.run {}
      block(on: semaphore)
    }
  case .reduce:
    block(on: semaphore)
    return .none
  case .work:
    return .run { send in
      await Task.yield()
      await send(.worked)
    }
  case .worked:
    state += 1
    return .none
  }
}

private func block(on semaphore: DispatchSemaphore) {
  semaphore.wait()
}

private func sleepForDays() {
  Thread.sleep(forTimeInterval: 1_000_000)
}

private func store(timeout: Duration = .milliseconds(100)) -> TestStore<Int, Action> {
  let store = TestStore(initialState: 0, reducer: blockingReducer, environment: ())
  store.timeout = timeout
  return store
}

/// Continues after an effect that blocks.
private func fail(over action: Action) async {
  let store = store()
  let task = await store.send(action)
  await task.finish()
  await store.send(.work)
  await store.receive(.worked) { $0 = 1 }
  await store.finish()
}

@Suite("Blocking tests", .enabled(if: runsFailingTests))
struct BlockingTests {
  @Test("an effect that waits") func waits() async { await fail(over: .wait) }
  @Test("an effect that loops") func loops() async { await fail(over: .loop) }
  @Test("an effect that sleeps") func sleeps() async { await fail(over: .sleep) }

  @Test("a reducer that waits")
  func reducer() async {
    let store = store()
    await store.send(.reduce)
    await store.send(.work)
    await store.finish()
  }
}

@Suite("Blocking tests in a scope", .enabled(if: runsFailingTests), .isolatedDependencies)
struct BlockingTestsInScope {
  @Test("an effect that waits, in a scope") func waits() async { await fail(over: .wait) }
  @Test("an effect that loops, in a scope") func loops() async { await fail(over: .loop) }

  @Test("a reducer that waits, in a scope")
  func reducer() async {
    let store = store()
    await store.send(.reduce)
    await store.finish()
  }

  @Test("an effect that waits while the test is elsewhere")
  func elsewhere() async {
    let store = store(timeout: .seconds(1000))
    let task = await store.send(.leave)
    await task.finish()
    await store.finish()
  }
}
