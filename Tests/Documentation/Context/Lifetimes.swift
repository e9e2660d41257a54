import Dispatch

/// What the snippets read, in order.
private final class Reports: Sendable {
  private let limits = AsyncStream.makeStream(of: Int.self)

  func add(_ limit: Int) { limits.continuation.yield(limit) }

  /// Waits for so many reports.
  func next(_ count: Int) async -> [Int] {
    var limits = limits.stream.makeAsyncIterator()
    var next: [Int] = []
    while next.count < count, let limit = await limits.next() { next.append(limit) }
    return next
  }
}

private let overridden = DependencyScope.root.with(\.retryLimit, 5)
private let elsewhere = DependencyScope.root.with(\.retryLimit, 9)

@Suite("The code of Lifetimes")
private struct Lifetimes {
  private let reports = Reports()
  private var report: @Sendable (Int) -> Void { { [reports] in reports.add($0) } }

  @Test("a detached task and a queue read defaults, unless they are given the scope")
  func lost() async {
    let report = report
    let queue = DispatchQueue(label: "queue")
    overridden.run {
      Task.detached { report(DependencyScope.current.retryLimit) }
      queue.async { report(DependencyScope.current.retryLimit) }
    }
    #expect(await reports.next(2) == [3, 3])
    overridden.run {
      // block: Task.detached(in: .current)
    }
    #expect(await reports.next(2) == [5, 5])
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
    for await limit in scoped(ticks) { report(limit) }
    #expect(await reports.next(1) == [5])
  }

  private func scoped(_ ticks: AsyncStream<Void>) -> some AsyncSequence<Int, Never> {
    overridden.run {
      // block: ticks.map
    }
  }

  @Test("a bound handler reads the scope that it was bound to")
  func boundCancellation() async {
    let report = report
    let continuation = AsyncStream.makeStream(of: Int.self).continuation
    await Task.detached(in: overridden) {
      // block: await withTaskCancellationHandler(
    }.value
    elsewhere.run { continuation.finish() }
    #expect(await reports.next(2) == [5, 5])
  }

  @Test("a deinit reads the scope that it captured")
  func deinits() async {
    var session: Session? = overridden.run { Session() }
    #expect(session != nil)
    elsewhere.run { session = nil }
    #expect(await ended.next(1) == [5])
  }

  @Test("a lazy static keeps the values of its first reader's scope")
  func statics() {
    elsewhere.run { #expect((Lazy.limit, Policy.limit, Policy.rootLimit) == (9, 9, 3)) }
    overridden.run { #expect((Lazy.limit, Policy.limit, Policy.rootLimit) == (9, 5, 3)) }
  }
}

/// Is cancelled from elsewhere, at once.
private func upload() async {
  // Sound: the task is used only while it runs this.
  elsewhere.run { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
}

private let ended = Reports()
private func report(_ limit: Int) { ended.add(limit) }

private enum Lazy {
  static let limit = DependencyScope.current.retryLimit
}

private final class Session: Sendable {
  let scope = DependencyScope.current
  deinit { report(scope.retryLimit) }
}
