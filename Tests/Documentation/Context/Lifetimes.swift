import Dispatch

/// What the snippets read, in order.
private final class Reports: Sendable {
  // Not a `Mutex`, of which ThreadSanitizer sees nothing on Linux.
  private let lock = NSLock()
  // Sound: used only under the lock.
  nonisolated(unsafe) private var limits: [Int] = []
  private let changes = AsyncStream.makeStream(of: Void.self)

  func add(_ limit: Int) {
    lock.withLock { unsafe limits.append(limit) }
    changes.continuation.yield()
  }

  /// Returns so many reports when they are there.
  func next(_ count: Int) async -> [Int] {
    var changes = changes.stream.makeAsyncIterator()
    for _ in 0..<count { await changes.next() }
    return lock.withLock {
      defer { unsafe limits = [] }
      return unsafe limits
    }
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
    // block: withDependencies {
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

  @Test("some iterations of concurrentPerform keep the scope, and all with a bound body")
  func concurrentPerform() async {
    let report = report
    overridden.run {
      // block: DispatchQueue.concurrentPerform(iterations: 8) {
    }
    #expect(await reports.next(8).allSatisfy { $0 == 5 || $0 == 3 })
    overridden.run {
      // block: let body =
    }
    #expect(await reports.next(8) == Array(repeating: 5, count: 8))
  }

  @Test("a sequence reads its consumer's scope, unless it is scoped")
  func sequences() async {
    let ticks = AsyncStream {
      $0.yield()
      $0.finish()
    }
    // block: let limits =
    #expect(await reports.next(1) == [3])
    let more = AsyncStream {
      $0.yield()
      $0.finish()
    }
    for await limit in scoped(more) { report(limit) }
    #expect(await reports.next(1) == [5])
  }

  private func scoped(_ ticks: AsyncStream<Void>) -> some AsyncSequence<Int, Never> {
    overridden.run {
      // block: ticks.map
    }
  }

  @Test("an observer reads the poster's scope, unless it is bound")
  func notifications() async {
    let report = report
    let (center, name) = (NotificationCenter(), Notification.Name("limit"))
    let plain = overridden.run {
      // block: center.addObserver(forName
    }
    elsewhere.run { center.post(name: name, object: nil) }
    center.removeObserver(plain)
    #expect(await reports.next(1) == [9])
    let bound = overridden.run {
      // block: using: DependencyScope.current.bind
    }
    elsewhere.run { center.post(name: name, object: nil) }
    center.removeObserver(bound)
    #expect(await reports.next(1) == [5])
  }

  @Test("a handler reads the scope of the code that cancels or finishes")
  func cancellation() async {
    let report = report
    let continuation = AsyncStream.makeStream(of: Int.self).continuation
    await Task.detached(in: overridden) {
      // block: await withTaskCancellationHandler {
    }.value
    elsewhere.run { continuation.finish() }
    #expect(await reports.next(2) == [9, 9])
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

  @Test("a deinit reads the last releaser's scope, unless it captured one")
  func deinits() async {
    var leaky: LeakySession? = overridden.run { LeakySession() }
    var session: Session? = overridden.run { Session() }
    #expect(leaky != nil && session != nil)
    elsewhere.run { (leaky, session) = (nil, nil) }
    #expect(await ended.next(2).sorted() == [5, 9])
  }

  @Test("a lazy static keeps the values of its first reader's scope")
  func statics() {
    elsewhere.run { #expect((Policy.limit, LivePolicy.limit, RootPolicy.limit) == (9, 9, 3)) }
    overridden.run { #expect((Policy.limit, LivePolicy.limit, RootPolicy.limit) == (9, 5, 3)) }
  }
}

/// Is cancelled from elsewhere, at once.
private func upload() async {
  // Sound: the task is used only while it runs this.
  elsewhere.run { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
}

private let ended = Reports()
private func report(_ limit: Int) { ended.add(limit) }
