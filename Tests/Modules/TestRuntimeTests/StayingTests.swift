import ComposableTesting
import Dispatch
import TestSupport
import Testing

@testable import TestRuntime

/// The executor learns of a task from hooks of the runtime, which aren't called where the task starts on
/// an actor, starts immediately, or comes back from another executor.
@Suite("A task stays in its test", .isolatedDependencies, .serialized, .tooLongUnderSanitizers)
struct StayingTests {
  /// Whether each step of a task ran on the executor of the test.
  private struct Steps {
    private let executor = RunningExecutors.shared.current
    private let areInside = Shared<[Bool]>([])

    var count: Int { areInside.value.count }
    var allInside: Bool { executor != nil && areInside.value.allSatisfy(\.self) }

    func note() {
      let isInside = RunningExecutors.shared.current === executor
      areInside.update { $0.append(isInside) }
    }
  }

  fileprivate typealias Operation = @Sendable (isolated (any Actor)?) async -> Void

  @globalActor private actor Somewhere {
    static let shared = Somewhere()

    func start(_ operation: @escaping Operation) -> Task<Void, Never> {
      Task { await operation(self) }
    }
  }

  enum Start: CaseIterable {
    case task, detached, immediate, onActor, onGlobalActor, onMainActor

    fileprivate func callAsFunction(_ operation: @escaping Operation) async -> Task<Void, Never> {
      switch self {
      case .task: Task { await operation(nil) }
      case .detached: Task.detached { await operation(nil) }
      case .immediate:
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          Task.immediate { await operation(nil) }
        } else {
          Task { await operation(nil) }
        }
      case .onActor: await Somewhere().start(operation)
      case .onGlobalActor: await { @Somewhere in Task { await operation(Somewhere.shared) } }()
      case .onMainActor: await { @MainActor in Task { await operation(MainActor.shared) } }()
      }
    }
  }

  @Test("when a queue resumes it, wherever it was started", arguments: Start.allCases)
  func listening(_ start: Start) async {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let steps = Steps()
    let task = await start { _ in
      steps.note()
      for await _ in numbers { steps.note() }
      steps.note()
    }
    for number in 0..<5 {
      await onQueue { continuation.yield(number) }
      while steps.count < number + 2 { await Task.yield() }
    }
    await onQueue { continuation.finish() }
    await task.value
    #expect(steps.count == 7 && steps.allInside)
  }

  private func onQueue(_ function: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        function()
        continuation.resume()
      }
    }
  }

  @Test("when it comes back from an actor outside", arguments: Start.allCases)
  func returning(_ start: Start) async {
    let steps = Steps()
    let task = await start { _ in
      for _ in 0..<3 {
        await visitOutside(steps)
        steps.note()
      }
    }
    await task.value
    #expect(steps.count == 6 && steps.allInside)
  }

  @Test("when it is the test's own, and comes back from an actor outside")
  func returning() async {
    let steps = Steps()
    await visitOutside(steps)
    steps.note()
    await { @MainActor in
      await visitOutside(steps)
      steps.note()
    }()
    #expect(steps.count == 4 && steps.allInside)
  }

  /// Calls the main actor from an actor that runs on a queue.
  private func visitOutside(_ steps: Steps) async {
    await QueueActor().run { _ in
      let note = { @MainActor in steps.note() }
      await note()
    }
  }
}
