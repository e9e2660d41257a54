import Dispatch
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("An exploration of a test whose tasks leave its executor")
struct OutsideWorkTests {
  enum Work: CaseIterable {
    case actor
    case realTime
    case realTimeInTask
  }

  @Test(
    "isn't exhaustive, and names the steps at which they came back", arguments: Work.allCases)
  func notExhaustive(work: Work) async throws {
    let runner = ScheduleRunner([]) {
      switch work {
      case .actor: await QueueActor().run { _ in }
      case .realTime: try await Task.sleep(for: .milliseconds(50))
      case .realTimeInTask:
        try await Task { try await Task.sleep(for: .milliseconds(50)) }.value
      }
    }
    let exploration = try #require(await runner.search(20).exploration)
    #expect(!exploration.isExhaustive)
    #expect(!exploration.description.contains("all"), "\(exploration)")
    let first = try #require(exploration.stepsFromOutside.first)
    let task = work == .realTimeInTask ? "task 1" : "test"
    #expect(first.hasSuffix(": \(task) comes from outside the executor"), "\(exploration)")
  }

  @Test("waits for slow work, up to the timeout of the trait")
  func slow() async throws {
    let runner = ScheduleRunner([]) {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.6) { continuation.resume() }
      }
    }
    #expect(await runner.run(.given(.plain), seed: 0).failures.isEmpty)
  }
}
