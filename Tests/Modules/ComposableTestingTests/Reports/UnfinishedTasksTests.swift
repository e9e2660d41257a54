import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@Suite("Work that a test leaves behind")
struct UnfinishedTasksTests {
  private func failures(
    reporting reports: DependencyReports, _ operation: @Sendable () async -> Void
  ) async -> [Failure] {
    await TestSupport.failures {
      await withTestDependencies(reporting: reports) { await operation() }
    }
  }

  @Test("a task that can still run fails a test that asks for it, once")
  func ready() async {
    let failures = await failures(reporting: [.unfinishedTasks, .defaults]) {
      await withTestDependencies(reporting: .unfinishedTasks) {
        await Task.yield()
        _ = Task { await Task.yield() }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("  task 1, which can run\n") == true, "\(failures)")
  }

  @Test("so does one that sleeps on the test's clock")
  func asleep() async {
    let created = Shared<TestClock?>(nil)
    let failures = await failures(reporting: .unfinishedTasks) {
      let clock = TestClock()
      created.update { $0 = clock }
      _ = Task(name: "toast") { try await clock.sleep(for: .seconds(3)) }
      await settle()
    }
    #expect(failures.count == 1)
    let text = "  The task “toast”, which sleeps on the test's clock until 3.0 seconds"
    #expect(failures.first?.message.contains(text) == true, "\(failures)")
    await created.value?.advance(by: .seconds(3))
  }

  @Test("one that listens, has ended, or isn't asked for doesn't", .needsYields)
  func finished() async {
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    var failures = await failures(reporting: .unfinishedTasks) {
      _ = Task { for await _ in events {} }
      _ = Task { await Task.yield() }
      await settle()
    }
    failures += await self.failures(reporting: .defaults) { _ = Task { await Task.yield() } }
    #expect(failures.map(\.message) == [])
    continuation.finish()
  }

  @Test("an effect of a store that something retains fails a test with a scope")
  func retainedStore() async {
    let reducer = Reducer<Int, Bool, Void> { _, starts, _ in
      starts
        ? .run { _ in try? await Task.sleep(for: .seconds(3_600)) }.cancellable(id: 1)
        : .cancel(id: 1)
    }
    let retained = Shared<TestStore<Int, Bool>?>(nil)
    let line = #line + 2
    let failures = await failures(reporting: []) {
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      retained.update { $0 = store }
      await store.send(true)
    }
    expectOne(failures, atLine: line, containing: "something retains their store", "effect of true")
    await retained.value?.send(false)
  }

  @Test("so does an action that such a store has received, and that the test doesn't assert")
  func retainedReceived() async {
    let reducer = Reducer<Int, Bool, Void> { _, sends, _ in sends ? .send(false) : .none }
    let retained = Shared<TestStore<Int, Bool>?>(nil)
    let line = #line + 2
    let failures = await failures(reporting: []) {
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      retained.update { $0 = store }
      await store.send(true)
    }
    expectOne(failures, atLine: line, containing: "received an action", "\n  false\n")
    // It isn't reported again.
    #expect(await TestSupport.failures { retained.update { $0 = nil } }.map(\.message) == [])
  }
}
