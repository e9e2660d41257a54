import Dispatch

private let overridden = DependencyScope.root.with(\.retryLimit, 5)
private let elsewhere = DependencyScope.root.with(\.retryLimit, 9)

@Suite("The code of Tasks, queues and callbacks")
private struct TasksQueuesAndCallbacks {
  @Test("a detached task and a queue read the scope that they are given")
  func carried() async {
    let (limits, continuation) = AsyncStream.makeStream(of: Int.self)
    let report: @Sendable (Int) -> Void = { continuation.yield($0) }
    let queue = DispatchQueue(label: "queue")
    overridden.run {
      // block: Task.detached(in: .current)
    }
    #expect(await limits.prefix(2).reduce(0, +) == 10)
  }

  @MainActor
  private final class Model {
    var limit = 0
    func refresh() { limit = DependencyScope.current.retryLimit }
    func load() async { limit += DependencyScope.current.retryLimit }
  }

  @MainActor
  @Test("closures of the main actor that enter a scope")
  func mainActor() async {
    let model = Model()
    var onTap: @MainActor () -> Void = {}
    var onAppear: @MainActor () async -> Void = {}
    overridden.run {
      // block: let scope = DependencyScope.current
    }
    onTap()
    await onAppear()
    #expect(model.limit == 10)
  }

  @Test("a scoped sequence reads the scope in which it was created")
  func sequences() async {
    let ticks = AsyncStream {
      $0.yield()
      $0.finish()
    }
    #expect(await scoped(ticks).reduce(0, +) == 5)
  }

  private func scoped(_ ticks: AsyncStream<Void>) -> some AsyncSequence<Int, Never> {
    overridden.run {
      // block: ticks.map
    }
  }

  @Test("a lazy static keeps the values of its first reader's scope")
  func statics() {
    elsewhere.run { #expect((Lazy.limit, Policy.limit, Policy.rootLimit) == (9, 9, 3)) }
    overridden.run { #expect((Lazy.limit, Policy.limit, Policy.rootLimit) == (9, 5, 3)) }
  }
}

private enum Lazy {
  static let limit = DependencyScope.current.retryLimit
}
