import ComposableDependencies
import Testing

@testable import ComposableResources

/// Interleavings that no test of the public functions can arrange.
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

    func request(_ key: any ResourceKey.Type, for requester: Int?) -> LifetimeState.Answer {
      state.request(key, for: requester, opens: true)
    }

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
      #expect(!other { $0.endOperation() })
    }
  }

  @Test("an operation doesn't end while another task cancels it")
  func cancelledAtItsEnd() async {
    withCurrentTask { task in
      let state = Known()
      state.phase = .operating
      _ = state { $0.beginOperation(task) }
      #expect(state { $0.cancelOperation() } === task)
      _ = state { $0.endOperation() }
      #expect(state.isCancellingOperation)
    }
  }

  @Test("an operation that has ended is not cancelled any more")
  func endedOperation() async {
    withCurrentTask { task in
      let state = Known()
      state.phase = .operating
      _ = state { $0.beginOperation(task) }
      #expect(state { $0.endOperation() })
      #expect(state { $0.cancelOperation() } == nil)
      #expect(state.operation == nil)
    }
  }

  @Test("a request after the end throws, from any lifetime")
  func requestAfterTheEnd() {
    let state = Known()
    _ = state { $0.append(First.self, isListed: true) }
    _ = state { $0.beginClosing() }
    _ = state { $0.end() }
    for requester in [nil, 0] {
      guard case .ended = state.request(Second.self, for: requester) else {
        Issue.record("the answer isn't that the lifetime has ended")
        continue
      }
    }
  }

  @Test("a lifetime that closes cancels only what is still opening")
  func requestWhileClosing() {
    let state = Known()
    _ = state { $0.append(First.self, isListed: true) }
    _ = state { $0.beginClosing() }
    guard case .cancelled = state.request(Second.self, for: 0) else {
      Issue.record("what is opening isn't told that it is cancelled")
      return
    }
    guard case .ended = state.request(Second.self, for: nil) else {
      Issue.record("what isn't opening isn't told that the lifetime has ended")
      return
    }
  }

  @Test("a lifetime that failed to open starts nothing more")
  func requestAfterAFailure() {
    for isCancelled in [false, true] {
      let state = Known()
      let start = state { $0.append(First.self, isListed: true) }
      if !isCancelled { _ = state { $0.didFail(start.index, Failed()) } }
      let failure = state { $0.endOpening(isCancelled: isCancelled) }
      #expect(isCancelled ? failure is CancellationError : failure is Failed)
      guard case .ended = state.request(Second.self, for: nil) else {
        Issue.record("a task that outlives a failed `open` can open a resource")
        continue
      }
      #expect(state.resources.count == 1)
    }
    let state = Known()
    #expect(state { $0.endOpening(isCancelled: false) } == nil)
    #expect(state.phase == .operating)
  }

  @Test("a resource no longer waits for one that has opened, or that it doesn't want any more")
  func waitsEnd() async {
    let state = Known()
    for key in [First.self, Second.self] as [any ResourceKey.Type] {
      _ = state { $0.append(key, isListed: true) }
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

  @Test("a request for a resource that has failed, opened or closed doesn't wait")
  func waitingTooLate() async {
    let state = Known()
    let start = state { $0.append(First.self, isListed: false) }
    _ = state { $0.didFail(start.index, Failed()) }
    await state.wait(for: start.index, of: 0) { #expect(!$0) }
    _ = state { $0.didOpen(start.index, 1) }
    await state.wait(for: start.index, of: 0) { #expect(!$0) }
    state { $0.didClose(start.index) }
    await state.wait(for: start.index, of: 0) { #expect(!$0) }
    _ = state { $0.end() }
    await state.wait(for: start.index, of: 0) { #expect(!$0) }
  }

  @Test("a resource that opens again takes the place of the one that failed")
  func openingAgain() {
    let state = Known()
    guard case .start(let first, _) = state.request(First.self, for: nil) else {
      Issue.record("the first request doesn't open")
      return
    }
    _ = state { $0.didFail(first.index, Failed()) }
    guard case .start(let second, _) = state.request(First.self, for: nil) else {
      Issue.record("the second request doesn't open")
      return
    }
    #expect(second.index == first.index)
    #expect(second.attempt != first.attempt)
    #expect(second.replaced != nil)
    let task = Task {}
    #expect(!state { $0.didStart(first, task) })
    #expect(state.resources[first.index].task == nil)
    _ = state { $0.didOpen(second.index, 5) }
    guard case .value(let value) = state.request(First.self, for: nil) else {
      Issue.record("what has opened isn't there")
      return
    }
    #expect(value as? Int == 5)
  }

  @Test("a task that starts while its lifetime closes is cancelled")
  func startedWhileClosing() {
    let state = Known()
    let start = state { $0.append(First.self, isListed: true) }
    let task = Task {}
    #expect(!state { $0.didStart(start, task) })
    #expect(state { $0.beginClosing() } == [task])
    #expect(state { $0.didStart(start, task) })
    _ = state { $0.end() }
    #expect(!state { $0.didStart(start, task) })
  }

  @Test("a task that is known only after its resource has opened is cancelled in its turn")
  func openedBeforeItsTask() {
    let state = Known()
    let start = state { $0.append(First.self, isListed: false) }
    let task = Task {}
    _ = state { $0.didOpen(start.index, 1) }
    _ = state { $0.beginClosing() }
    #expect(!state { $0.didStart(start, task) }, "what was opened from it may be open")
    #expect(state { $0.nextToClose() }?.task == task)
    // And if its turn comes first, nobody else cancels it.
    #expect(state { $0.didStart(start, task) })
  }

  @Test("only the first error counts, and none after the operation")
  func failures() {
    let state = Known()
    state { $0.fail(Failed()) }
    state { $0.fail(CancellationError()) }
    #expect(state.failure is Failed)
    let closing = Known()
    _ = closing { $0.beginClosing() }
    closing { $0.fail(Failed()) }
    #expect(closing.failure == nil)
  }

  @Test("a lifetime names the step that closing waits for")
  func closingSteps() {
    let state = Known()
    #expect(state.closingStep == nil)
    let start = state { $0.append(First.self, isListed: true) }
    #expect(state.closingStep?.function == "open")
    _ = state { $0.didOpen(start.index, 1) }
    #expect(state.closingStep == nil)
    #expect(state { $0.nextToClose() }?.isLive == true)
    #expect(state.closingStep?.function == "run")
    _ = state { $0.didRun(start.index, nil) }
    #expect(state.closingStep?.function == "close")
    state { $0.didClose(start.index) }
    #expect(state.closingStep == nil)
    #expect(!state.isAnythingLeft)
    let ended = state { $0.end() }
    #expect(ended.count == 1)
    #expect(state.resources.isEmpty, "the lifetime keeps no value after its end")
  }
}
