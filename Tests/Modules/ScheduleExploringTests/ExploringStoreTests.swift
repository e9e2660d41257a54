import ComposableReducers
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

@Suite("Stores and clocks of an explored test", .tooLongUnderSanitizers)
struct ExploringStoreTests {
  private enum Action: Equatable {
    case start
    case cancel
    case note(String)
    case hang
  }

  private enum ID { case all }

  private static let reducer = Reducer<[String], Action, TestClock> { state, action, clock in
    switch action {
    case .start:
      return .merge(
        ["a", "b", "c"].map { name in
          .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(.note(name))
          } catch: { _, _ in
          }
        }
      ).cancellable(id: ID.all)
    case .cancel:
      state.append("cancel")
      return .cancel(id: ID.all)
    case .note(let text):
      state.append(text)
      return .none
    case .hang:
      return .run { _ in await untilCancelled() }
    }
  }

  @Test(
    "a test's clock advances, and the store receives, in every order", .exploring(schedules: 300))
  func receive() async {
    let clock = TestClock()
    let store = TestStore(initialState: [], reducer: Self.reducer, environment: clock)
    store.exhaustivity = .off
    await store.send(.start)
    await clock.advance(by: .seconds(1))
    await store.skipReceivedActions()
    #expect(store.state.sorted() == ["a", "b", "c"])
    await store.finish()
  }

  @Test(
    "an assertion that depends on an order fails at its line, in another order")
  func assertion() async throws {
    let found = try await recordedIssues {
      try await explore {
        let clock = TestClock()
        let store = TestStore(initialState: [], reducer: Self.reducer, environment: clock)
        await store.send(.start)
        await clock.advance(by: .seconds(1))
        await store.receive(.note("a")) { $0.append("a") }
        await store.receive(.note("b")) { $0.append("b") }
        await store.receive(.note("c")) { $0.append("c") }
      }
    }
    #expect(found.count > 1, "\(found)")
    #expect(found.first?.message.contains("but the store received") == true, "\(found)")
    #expect(found.first?.location?.fileID == #fileID)
    let message = try #require(found.last?.message)
    #expect(message.contains("the test sends .start"), "\(message)")
    #expect(message.contains("an effect of .start, created at"), "\(message)")
    #expect(message.contains("the store receives .note("), "\(message)")
  }

  @Test("a table names the effects of an observable store")
  func observable() async throws {
    let reducer = Reducer<[String], Action, Void> { state, action, _ in
      if case .note(let text) = action { state.append(text) }
      return action == .start
        ? .merge(["a", "b"].map { name in .run { send in await send(.note(name)) } }) : .none
    }
    let line = #line - 2
    let found = try await recordedIssues {
      try await explore { @MainActor in
        let store = ObservableStore(initialState: [], reducer: reducer, environment: ())
        await store.send(.start).finish()
        #expect(store.state == ["a", "b"])
      }
    }
    let message = try #require(found.last?.message)
    let name = "an effect of .start, created at \(#fileID):\(line)"
    #expect(message.ranges(of: name).count == 2, "\(message)")
  }

  @Test("an effect that hangs fails the test without waiting for real time")
  func hanging() async throws {
    let found = try await recordedIssues {
      try await explore(schedules: 20) {
        let store = TestStore(
          initialState: [], reducer: Self.reducer, environment: TestClock())
        store.timeout = .seconds(1_000_000)
        await store.send(.hang)
        await store.receive(.hang)
        await store.finish()
        await store.send(.hang).finish()
      }
    }
    try #require(found.count == 4, "\(found)")
    for (failure, text) in zip(found, ["running", "running at the end,", "running"]) {
      #expect(failure.message.contains("still \(text) where nothing else can run:"), "\(failure)")
      #expect(failure.message.contains("an effect of .hang, created at"), "\(failure)")
      #expect(!failure.message.contains("`store.timeout`"), "\(failure)")
    }
  }

  @Test("an effect of a store that something retains fails the test")
  func retained() async throws {
    let retained = Shared<TestStore<[String], Action>?>(nil)
    let line = #line + 3
    let found = try await expectIssues(2, containing: "fails in schedule 1 of 1") {
      try await explore(schedules: 1) {
        let store = TestStore(
          initialState: [], reducer: Self.reducer, environment: TestClock())
        retained.update { $0 = store }
        await store.send(.hang)
      }
    }
    expectOne([found[0]], atLine: line, containing: "something retains their store", "of .hang")
  }

  @Test("effects of one identifier are cancelled in the order in which they were started")
  func cancellation() async {
    let log = Log()
    let runner = ScheduleRunner([]) {
      let reducer = Reducer<Int, Action, Void> { _, action, _ in
        if action == .cancel { return .cancel(id: ID.all) }
        return .merge(
          (0..<10).map { number in
            .run { _ in
              // These end before the others are cancelled.
              if number == 0 || number == 3 { return }
              do { try await sleep(.seconds(1)) } catch { log.append("\(number)") }
            }
          }
        ).cancellable(id: ID.all)
      }
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      store.exhaustivity = .off
      await store.send(.start)
      await store.send(.cancel)
      await store.finish()
    }
    #expect(await runner.traced(.plain).failures.isEmpty)
    #expect(log.lines == ["1", "2", "4", "5", "6", "7", "8", "9"])
  }

  @Test(
    "an effect that comes back after the end of its schedule goes on", arguments: [false, true])
  func late(hangs: Bool) async {
    let (gate, signal, log) = (Gate(), Signal(), Log())
    let runner = ScheduleRunner([], timeout: .milliseconds(50)) {
      let reducer = Reducer<Int, Action, Void> { _, _, _ in
        .merge(
          .run { _ in
            await gate.wait()
            signal.raise()
          },
          .run { _ in
            // Until the store is released.
            try? await sleep(.seconds(1))
            await Task.yield()
            log.append("released at \(secondsPassed)")
          })
      }
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      store.exhaustivity = .off
      await store.send(.start)
      if hangs { await untilCancelled() }
    }
    let result = await runner.traced(.plain)
    #expect(result.failures.isEmpty == !hangs, "\(result.failures)")
    // What is ready at the end runs at once.
    #expect(log.lines == ["released at \(hangs ? 1.0 : 0.0)"])
    gate.open()
    #expect(await signal.wait(atMost: .seconds(600)))
  }

  @Test("child tasks of the test are explored, and those of `withTestDependencies` in it")
  func children() async throws {
    let orders = try await explored {
      try await withTestDependencies {
        $0.continuousClock = ImmediateClock()
      } operation: {
        try await orderOfTwo()
      }
    }.results
    #expect(orders == ["ab", "ba"])
  }
}
