import ComposableReducers
import ComposableTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite("A test store that waits fails")
struct TestStoreWaitingTests {
  private let clock = TestClock()

  @Test(
    "if an effect hangs, with the effect's place and action, regardless of its exhaustivity",
    arguments: [Exhaustivity.on, .off])
  func hangs(exhaustivity: Exhaustivity) async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { _ in await gate.wait() }))
    store.exhaustivity = exhaustivity
    await store.send(.hang)
    await store.send(.startTimer)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.receive(.ticked, timeout: .milliseconds(10))
      lines.append(#line + 1)
      await store.finish(timeout: .milliseconds(10))
    }
    #expect(failures.map(\.location?.line) == lines)
    for failure in failures {
      let effect =
        "  an effect of .hang, created at ComposableTestingTests/Search.swift:\(Search.hangingLine)\n"
      #expect(failure.message.contains(effect), "\(failure.message)")
      #expect(failure.message.contains("  an effect of .startTimer, created at "))
    }
    gate.open()
    await store.send(.stopTimer)
    await store.finish()
  }

  @Test("but not in a cancelled task, where it waits for nothing")
  func cancelled() async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { _ in await gate.wait() }))
    // On a busy machine, it may take long until the group is canceled.
    store.timeout = .seconds(1_000_000)
    await store.send(.hang)
    await withTaskGroup { group in
      group.addTask {
        await store.finish()
        await store.receive(.ticked)
      }
      await clock.advance()
      group.cancelAll()
    }
    gate.open()
    await store.finish()
  }

  @Test("immediately if all effects sleep on the test's clock")
  func asleep() async {
    let store = Search.store(.init(clock: clock))
    store.timeout = .seconds(1_000_000)
    await store.send(.startTimer)
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.receive(.ticked)
      lines.append(#line + 1)
      await store.finish()
    }
    #expect(failures.map(\.location?.line) == lines)
    for failure in failures {
      #expect(failure.message.contains("on the test's clock"), "\(failure.message)")
      #expect(failure.message.contains("until 0.3 seconds or later"), "\(failure.message)")
      #expect(failure.message.contains("  an effect of .startTimer, created at "))
    }
  }

  @Test("not if a child task sleeps while another works elsewhere")
  func childAsleep() async {
    let (clock, gate) = (clock, Gate())
    let reducer = Reducer<Int, Bool, Void> { state, action, _ in
      state += 1
      guard action else { return .none }
      return .run { send in
        await withTaskGroup { group in
          group.addTask { try? await clock.sleep(for: .seconds(1)) }
          group.addTask { await Task { await gate.wait() }.value }
          await group.next()
          group.cancelAll()
        }
        await send(false)
      }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.timeout = .seconds(1_000_000)
    await store.send(true) { $0 = 1 }
    Task {
      await gate.waitForArrivals()
      gate.open()
    }
    await store.receive(false) { $0 = 2 }
    await store.finish()
  }

  @Test("not if an effect sends the action while the test looks, and then sleeps")
  func sendsMeanwhile() async {
    let (clock, gate, isAsleep) = (clock, Gate(), DispatchSemaphore(value: 0))
    let reducer = Reducer<Int, Int, Void> { _, action, _ in
      guard action == 0 else { return .none }
      return .run { send in
        await send(1)
        await gate.wait()
        await send(2)
        // Begins once the effect sleeps.
        async let _ = isAsleep.signal()
        try? await clock.sleep(for: .seconds(1))
      }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(0)
    var calls = 0
    await store.receive(where: { action in
      calls += 1
      // The first call comes before the wait.
      if calls == 2 {
        gate.open()
        isAsleep.wait()
      }
      return action == 2
    })
    #expect(calls > 2)
    await clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test("after 5 seconds, unless the test sets another timeout")
  func timeout() {
    let store = Search.store(.init(clock: clock))
    #expect(store.timeout == .seconds(5))
    store.timeout = .seconds(1)
    #expect(store.timeout == .seconds(1))
  }

  @Test("if something never settles, instead of waiting forever")
  func restless() async {
    let hasBegun = Atomic(false)
    let isStopped = Atomic(false)
    let reducer = Reducer<Int, Bool, Void> { _, _, _ in
      .run { _ in
        hasBegun.store(true, ordering: .relaxed)
        while !isStopped.load(ordering: .relaxed) { await Task.yield() }
      }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.timeout = .milliseconds(10)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.send(true)
      lines.append(#line + 1)
      await store.receive(true)
      while !hasBegun.load(ordering: .relaxed) { await Task.yield() }
      lines.append(#line + 1)
      await store.finish()
    }
    #expect(failures.map(\.location?.line) == lines)
    for failure in failures { #expect(failure.message.contains("never settles")) }
    let message = failures.last?.message ?? ""
    #expect(message.contains("The effect of true, created at "), "\(message)")
    isStopped.store(true, ordering: .relaxed)
    store.timeout = .seconds(5)
    await store.finish()
  }

  @Test("when the time is up, if only other actions keep arriving")
  func otherActionsAgainAndAgain() async {
    let isStopped = Atomic(false)
    let reducer = Reducer<Int, Bool, Void> { _, _, _ in
      .run { send in
        while !isStopped.load(ordering: .relaxed) {
          await MainActor.run {}
          await send(false)
        }
      }
      .cancellable(id: 1, cancelInFlight: true)
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.exhaustivity = .off
    // The test may see the effect suspended, or never.
    _ = await failures { await store.send(true) }
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.receive(where: { _ in false }, timeout: .milliseconds(10))
    }
    isStopped.store(true, ordering: .relaxed)
    expectOne(failures, atLine: line)
    let message = failures.first?.message ?? ""
    #expect(
      message.contains("an action that matches the condition, but")
        || message.contains("never settles"), "\(message)")
    await store.skipReceivedActions(strict: false)
    await store.finish()
  }
}
