import ComposableReducers
import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting

@Suite("A test that was given up")
struct AbandonedTestTests {
  private final class Resource: Sendable {
    let number = 7
  }

  private final class Waiting: Sendable {
    let tasks = Mutex<[CheckedContinuation<Void, Never>]>([])

    @MainActor func wait(_ log: Log) async {
      await withCheckedContinuation { task in tasks.withLock { $0.append(task) } }
      log.append("on the main actor")
    }
  }

  /// Waits on the main actor for what comes when the test is over.
  private func abandon(_ resource: Resource, _ waiting: Waiting, _ log: Log) async throws {
    let trait: ExploringTrait = .exploring(schedules: 2)
    let test = try #require(Test.current)
    let found = try await issues {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        await waiting.wait(log)
        log.append("\(resource.number)")
      }
    }
    #expect(found.count > 0)
  }

  @Test("never runs again in its own function, though what it waited for comes")
  func resumesLater() async throws {
    let (log, waiting) = (Log(), Waiting())
    try await abandon(Resource(), waiting, log)
    let tasks = waiting.tasks.withLock { $0 }
    #expect(!tasks.isEmpty)
    for task in tasks { task.resume() }
    for _ in 0..<10 { await MainActor.run {} }
    #expect(!log.lines.contains("7"), "\(log.lines)")
  }

  @Test("keeps what its function was given, as long as it may go on")
  func keeps() async throws {
    weak var kept: Resource?
    let (log, waiting) = (Log(), Waiting())
    do {
      let resource = Resource()
      kept = resource
      try await withEscapable({ await waiting.wait(log) }, keeping: resource) { function in
        Task { try await function() }
        while waiting.tasks.withLock({ $0.isEmpty }) { await Task.yield() }
      }
    }
    #expect(kept != nil)
  }
}
