import TestSupport
import Dispatch
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("An exploration of a test whose tasks leave its executor")
struct OutsideWorkTests {
  /// Loses an update if the two tasks run at the same time.
  ///
  /// They take a while, because a task that ends before the test awaits it comes back at no step.
  private static func loseUpdate() async throws {
    let count = Shared(0)
    let tasks = (0..<2).map { _ in
      Task {
        let value = count.value
        try? await Task.sleep(for: .milliseconds(100))
        count.update { $0 = value + 1 }
      }
    }
    for task in tasks { await task.value }
  }

  enum Work: CaseIterable {
    case unstructuredTasks, mainActor, realTime
  }

  @Test(
    "isn't exhaustive, and names the steps at which they came back", arguments: Work.allCases)
  func notExhaustive(work: Work) async throws {
    let explorer = Explorer([]) {
      switch work {
      case .unstructuredTasks: try await Self.loseUpdate()
      case .mainActor: await MainActor.run {}
      case .realTime: try await Task.sleep(for: .milliseconds(1))
      }
    }
    let exploration = try #require(await explorer.search(1_000).exploration)
    #expect(!exploration.isExhaustive)
    #expect(!exploration.description.contains("all"), "\(exploration)")
    let first = try #require(exploration.stepsFromOutside.first)
    #expect(first.hasSuffix("test comes from outside the executor"), "\(exploration)")
  }

  @Test("waits for slow work, up to the timeout of the trait")
  func slow() async throws {
    let explorer = Explorer([]) {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.6) { continuation.resume() }
      }
    }
    #expect(await explorer.run(.given(.plain), seed: 0).failures.isEmpty)
  }
}
