import ComposableDependencies
import Testing

@testable import ComposableResources

/// Races that no test of the public functions can arrange.
@Suite("What a lifetime knows")
struct LifetimeStateTests {
  private enum First: ResourceKey {
    static var defaultValue: Int { 1 }
    static func open(_ opening: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async {}
  }

  private enum Second: ResourceKey {
    static var defaultValue: Int { 2 }
    static func open(_ opening: ResourceOpening) async throws -> Int { 2 }
    static func close(_ value: Int) async {}
  }

  private struct Failed: Error {}

  @dynamicMemberLookup
  private final class Known {
    private var state = LifetimeState()

    func callAsFunction<R>(_ change: (inout LifetimeState) -> R) -> R { change(&state) }

    subscript<Value>(dynamicMember keyPath: WritableKeyPath<LifetimeState, Value>) -> Value {
      get { state[keyPath: keyPath] }
      set { state[keyPath: keyPath] = newValue }
    }

    subscript<Value>(dynamicMember keyPath: KeyPath<LifetimeState, Value>) -> Value {
      state[keyPath: keyPath]
    }

    /// Calls `body` with whether a request waits; it waits until `body` ends.
    func wait(for index: Int, of requester: Int, _ body: (Bool) -> Void) async {
      _ = try? await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<any Sendable, any Error>) in
        let waiter = LifetimeState.Waiter(id: 1, requester: requester, continuation: continuation)
        let answer = self { $0.wait(for: index, waiter, isCancelled: false) }
        if case nil = answer { body(true) } else { body(false) }
        continuation.resume(returning: 0)
      }
    }
  }

  private func withCurrentTask(_ body: (OperationTask) -> Void) {
    unsafe withUnsafeCurrentTask { task in
      body(unsafe OperationTask(task: task!))
    }
  }

  @Test("an operation is cancelled as soon as its task is known")
  func cancelledBeforeItsTask() async {
    withCurrentTask { task in
      let state = Known()
      state.phase = .operating
      #expect(state { $0.cancelOperation() } == nil)
      #expect(!state.isCancellingOperation)
      #expect(state { $0.beginOperation(task) } === task)
      let other = Known()
      other.phase = .operating
      #expect(other { $0.beginOperation(task) } == nil)
      #expect(other { $0.cancelOperation() } === task)
      #expect(other { $0.cancelOperation() } == nil)
    }
  }

  @Test("a resource no longer waits for one that has opened, or that it doesn't want any more")
  func waitsEnd() async {
    let state = Known()
    for key in [First.self, Second.self] as [any ResourceKey.Type] {
      _ = state { $0.begin(key, isListed: true) }
    }
    await state.wait(for: 1, of: 0) { waits in
      #expect(waits)
      #expect(state { $0.cancelWaiter(1, for: 1) }?.requester == 0)
      #expect(state { $0.cancelWaiter(1, for: 1) } == nil)
      #expect(state.resources[0].awaits.isEmpty)
    }
    await state.wait(for: 1, of: 0) { _ in
      #expect(state { $0.didOpen(1, 2) }.waiters.count == 1)
      #expect(state.resources[0].awaits.isEmpty)
      #expect(state.resources[1].waiters.isEmpty)
    }
    // So this closes no cycle.
    await state.wait(for: 0, of: 1) { waits in
      #expect(waits)
      #expect(state { $0.didFail(0, Failed()) }.count == 1)
      #expect(state.resources[1].awaits.isEmpty)
    }
  }

  /// A continuation that the caller must resume.
  private func continuation() async -> CheckedContinuation<any Sendable, any Error> {
    await withCheckedContinuation { result in
      Task {
        _ = try? await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<any Sendable, any Error>) in
          result.resume(returning: continuation)
        }
      }
    }
  }

  @Test("rule 32: a cycle is found even if code of a failed attempt has waited for the same")
  func staleWait() async {
    var state = LifetimeState()
    for key in [First.self, Second.self] as [any ResourceKey.Type] {
      _ = state.begin(key, isListed: false)
    }
    let continuations = [await continuation(), await continuation(), await continuation()]
    func wait(_ id: Int, for index: Int, of requester: Int) -> Bool {
      let waiter = LifetimeState.Waiter(
        id: id, requester: requester, continuation: continuations[id])
      return state.wait(for: index, waiter, isCancelled: false) == nil
    }
    #expect(wait(0, for: 1, of: 0))
    _ = state.didFail(0, Failed())
    _ = state.begin(First.self, isListed: false)
    #expect(wait(1, for: 1, of: 0))
    #expect(state.cancelWaiter(0, for: 1)?.id == 0)
    #expect(!wait(2, for: 0, of: 1))
    for continuation in continuations { continuation.resume(throwing: Failed()) }
  }

  @Test("a task that starts while its lifetime closes is cancelled")
  func startedWhileClosing() {
    let state = Known()
    let start = state { $0.begin(First.self, isListed: true) }
    let task = Task {}
    #expect(!state { $0.didStart(start, task) })
    #expect(state { $0.beginClosing() } == [task])
    #expect(state { $0.didStart(start, task) })
    _ = state { $0.end() }
    #expect(!state { $0.didStart(start, task) })
  }
}
