import ComposableTesting
import Dispatch
import TestSupport
import Testing

@testable import TestRuntime

/// A task whose first executor is an actor starts there without a call of the runtime's hooks.
@Suite("A task that listens to a queue")
struct ActorTaskTests {
  enum Isolation: CaseIterable { case none, actor, globalActor, mainActor }

  @Test(
    "stays in its test wherever it was started", .isolatedDependencies,
    arguments: Isolation.allCases)
  func stays(_ isolation: Isolation) async {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let steps = Shared<[Bool]>([])
    let listener = Listener(numbers: numbers, steps: steps)
    let task =
      switch isolation {
      case .none: Task { await listener.listen(on: nil) }
      case .actor: await ListeningActor().start(listener)
      case .globalActor: await ListeningActor.start(listener)
      case .mainActor: await MainActor.run { Task { await listener.listen(on: MainActor.shared) } }
      }
    for number in 0..<5 {
      await onQueue { continuation.yield(number) }
      while steps.value.count < number + 2 { await Task.yield() }
    }
    await onQueue { continuation.finish() }
    await task.value
    #expect(steps.value == Array(repeating: true, count: 7))
  }

  private func onQueue(_ function: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        function()
        continuation.resume()
      }
    }
  }
}

private struct Listener {
  let numbers: AsyncStream<Int>
  /// Whether each step ran on the executor of the test.
  let steps: Shared<[Bool]>

  func listen(on actor: isolated (any Actor)?) async {
    note()
    for await _ in numbers { note() }
    note()
  }

  private func note() {
    let executor = RunningExecutors.shared.current
    steps.update { $0.append(executor != nil && executor === TestRun.ofScope?.executor) }
  }
}

@globalActor private actor ListeningActor {
  static let shared = ListeningActor()

  func start(_ listener: Listener) -> Task<Void, Never> {
    Task { await listener.listen(on: self) }
  }

  @ListeningActor static func start(_ listener: Listener) -> Task<Void, Never> {
    Task { await listener.listen(on: shared) }
  }
}
