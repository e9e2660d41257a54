import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

/// An operation can capture and return whatever `TaskLocal.withValue` accepts.
@Suite("Captures of an operation")
struct IsolationTests {
  private final class Counter {
    var count = 0

    func increment() async {
      count += 1
      await Task.yield()
      count += 1
    }

    func use() async throws {
      try await withResources(A.self) { await increment() }
    }
  }

  @MainActor
  private final class Model {
    var value = ""

    func load() async throws {
      try await withResources(A.self) {
        MainActor.assertIsolated()
        value = DependencyScope.current.a
        await Task.yield()
        MainActor.assertIsolated()
      }
    }
  }

  private actor Keeper {
    var value = ""

    func load() async throws {
      try await withResources(A.self) {
        value = DependencyScope.current.a
        await Task.yield()
        assertIsolated()
      }
    }
  }

  private func increment(_ count: inout Int) async throws {
    try await withResources(A.self) {
      count += 1
      await Task.yield()
      count += 1
    }
  }

  @Test("an operation changes its caller's variables, and returns nonsendable values")
  func captures() async throws {
    try await withWorld { _ in
      let counter = Counter()
      try await counter.use()
      #expect(counter.count == 2)
      var count = 0
      try await increment(&count)
      #expect(count == 2)
      var iterator = AsyncStream { $0.yield(with: .success(7)) }.makeAsyncIterator()
      let next = try await withResources(A.self) { await iterator.next() }
      #expect(next == 7)
      let made = try await withResources(A.self) { Counter() }
      #expect(made.count == 0)
    }
  }

  @Test("an operation that uses an actor's state runs on that actor")
  func actors() async throws {
    try await withWorld { _ in
      let model = Model()
      try await model.load()
      #expect(await model.value == "A1")
      let keeper = Keeper()
      try await keeper.load()
      #expect(await keeper.value == "A2")
    }
  }

  @Test("task-locals reach the operation and every function of a resource")
  func taskLocals() async throws {
    enum Local { @TaskLocal static var name = "nobody" }
    try await withWorld { world in
      world["A"].open = { _ in world.record("open by \(Local.name)") }
      world["A"].close = { world.record("close by \(Local.name)") }
      try await Local.$name.withValue("caller") {
        try await withResources(A.self) { world.record("operation by \(Local.name)") }
      }
      #expect(
        world.events.filter { $0.contains("by") } == [
          "open by caller", "operation by caller", "close by caller",
        ])
    }
  }
}
