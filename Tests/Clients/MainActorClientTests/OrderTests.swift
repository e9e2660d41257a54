import ComposableTesting
import Synchronization
import TestSupport
import Testing

@Suite("Orders of tasks in a module that is isolated to the main actor by default", .needsYields)
struct OrderTests {
  private nonisolated final class Traces: Sendable {
    private let traces = Mutex<[[Int]]>([])

    func begin() { traces.withLock { $0.append([]) } }
    func record(_ task: Int) { traces.withLock { $0[$0.count - 1].append(task) } }
    var count: Int { traces.withLock { Set($0).count } }
  }

  /// Whether there were six orders.
  ///
  /// With ThreadSanitizer, an exploration claims nothing, and says so.
  private func hasAllOrders(_ exploration: Exploration) -> Bool {
    exploration.isExhaustive
      ? exploration.schedules == 6 : "\(exploration)".contains("this runtime doesn't show")
  }

  @Test("rule 37: two tasks with two steps each have six orders, on the main actor")
  func onMainActor() async throws {
    let traces = Traces()
    let exploration = try await explore { @MainActor in
      traces.begin()
      for task in 0..<2 {
        Task {
          traces.record(task)
          await Task.yield()
          traces.record(task)
        }
      }
    }
    #expect(hasAllOrders(exploration), "\(exploration)")
    #expect(traces.count == 6)
  }

  @Test("rule 37: two tasks with two steps each have six orders, elsewhere")
  func elsewhere() async throws {
    let traces = Traces()
    let exploration = try await explore { @MainActor in
      traces.begin()
      for task in 0..<2 {
        Task { @concurrent in
          traces.record(task)
          await Task.yield()
          traces.record(task)
        }
      }
    }
    #expect(hasAllOrders(exploration), "\(exploration)")
    #expect(traces.count == 6)
  }
}
