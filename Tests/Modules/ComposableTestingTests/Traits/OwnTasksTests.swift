import Dispatch
import TestSupport
import Testing

@testable import ComposableTesting
@testable import TestRuntime

@Suite("Unstructured tasks of tests that run at the same time")
struct OwnTasksTests {
  private static var executor: ObjectIdentifier? {
    RunningExecutors.shared.current.map { ObjectIdentifier($0) }
  }

  @Test("stay with their test when the other resumes them")
  func resumed() async {
    let (gate, isResumed, hasEnded) = (Gate(), Shared(false), Shared(false))
    async let other: Void = withTestDependencies {
      await gate.waitForArrivals(1)
      gate.open()
      isResumed.update { $0 = true }
      while !hasEnded.value { await Task.yield() }
    }
    async let test: Void = withTestDependencies {
      let own = Self.executor
      let task = Task {
        await gate.wait()
        let resumed = Self.executor
        await Task.yield()
        return [resumed, Self.executor]
      }
      while !isResumed.value { await Task.yield() }
      #expect(await task.value == [own, own])
      hasEnded.update { $0 = true }
    }
    _ = await (other, test)
  }

  @Test(
    "of a test without a scope stay outside when another test resumes them",
    // Often: a task that is resumed before it has been suspended just goes on.
    arguments: 0..<50)
  func withoutScope(round: Int) async {
    let (gate, hasBegun, hasEnded) = (Gate(), Gate(), Shared(false))
    async let other: Void = withTestDependencies {
      hasBegun.open()
      await gate.waitForArrivals(1)
      gate.open()
      while !hasEnded.value { await Task.yield() }
    }
    await hasBegun.wait()
    let task = Task {
      await gate.wait()
      return Self.executor
    }
    #expect(await task.value == nil)
    hasEnded.update { $0 = true }
    await other
  }

  private struct WeakExecutor {
    weak let executor: TestExecutor?
  }

  @MainActor
  private static func executor(
    afterResuming waiting: Shared<CheckedContinuation<Void, Never>?>
  ) async -> ObjectIdentifier? {
    await withCheckedContinuation { continuation in waiting.update { $0 = continuation } }
    return executor
  }

  @Test("that wait on the main actor stay outside a test that begins later", arguments: 0..<20)
  func reusedStandIn(round: Int) async {
    let task = Shared<Task<ObjectIdentifier?, Never>?>(nil)
    let waiting = Shared<CheckedContinuation<Void, Never>?>(nil)
    let first = Shared<WeakExecutor?>(nil)
    await withTestDependencies {
      first.update { $0 = WeakExecutor(executor: RunningExecutors.shared.current) }
      let new = Task.detached { await Self.executor(afterResuming: waiting) }
      task.update { $0 = new }
      while waiting.value == nil { await Task.yield() }
    }
    while first.value?.executor != nil { await Task.yield() }
    // Its own task is older than the one that waits.
    await withTestDependencies {
      waiting.value?.resume()
      #expect(await task.value?.value == nil)
    }
  }

  @Test("that a queue has started stay outside when another test resumes them", arguments: 0..<20)
  func startedByAQueue(round: Int) async {
    let (gate, executor) = (Gate(), Shared<ObjectIdentifier??>(nil))
    // Tasks are seen from the first test with a trait on.
    await withTestDependencies { await Task.yield() }
    DispatchQueue.global().async {
      Task {
        await gate.wait()
        executor.update { $0 = .some(Self.executor) }
      }
    }
    await withTestDependencies {
      await gate.waitForArrivals(1)
      gate.open()
      while executor.value == nil { await Task.yield() }
    }
    #expect(executor.value == .some(nil))
  }

  private actor Both {
    /// Starts a task when another test waits for this actor.
    func start(
      asking hasBegun: Shared<Bool>? = nil, for other: Shared<Bool>? = nil
    ) -> Task<ObjectIdentifier?, Never> {
      hasBegun?.update { $0 = true }
      if let other {
        while !other.value {}
        for _ in 0..<1_000 { _ = other.value }
      }
      return Task { OwnTasksTests.executor }
    }
  }

  @Test(
    "belong to the test that has started them, on an actor that both use", .needsWholeSight,
    arguments: 0..<20)
  func onOneActor(round: Int) async {
    let (both, hasBegun, other) = (Both(), Shared(false), Shared(false))
    async let first: Void = withTestDependencies {
      let task = await both.start(asking: hasBegun, for: other)
      #expect(await task.value == Self.executor)
    }
    async let second: Void = withTestDependencies {
      while !hasBegun.value { await Task.yield() }
      other.update { $0 = true }
      let task = await both.start()
      #expect(await task.value == Self.executor)
    }
    _ = await (first, second)
  }
}
