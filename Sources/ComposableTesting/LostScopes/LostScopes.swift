internal import ComposableDependencies
internal import Synchronization
internal import Testing

/// Fails tests over defaults that are read outside any scope, while tests that ask for it run.
enum LostScopes {
  /// A test that asks for lost reads, and the reads that occurred while it was the only one.
  private final class Listener: Sendable {
    let test: Test
    let keys: @Sendable (any DependencyKey.Type) -> Bool
    let reads = Mutex<[LostRead]>([])

    init(test: Test, keys: @escaping @Sendable (any DependencyKey.Type) -> Bool) {
      self.test = test
      self.keys = keys
    }
  }

  private struct State {
    var listeners: [Listener] = []
    var source: LostReads.Listener?
  }

  private static let state = Mutex(State())

  static var listeningTests: [Test] { state.withLock { $0.listeners.map(\.test) } }

  /// - Parameter keys: The keys whose reads are reported.
  nonisolated(nonsending) static func report<R, E: Error>(
    in test: Test,
    of keys: @escaping @Sendable (any DependencyKey.Type) -> Bool = { _ in true },
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let listener = Listener(test: test, keys: keys)
    add(listener)
    defer {
      remove(listener)
      for read in listener.reads.withLock({ $0 }) { fail(test, over: read) }
    }
    return try await operation()
  }

  private static func add(_ listener: Listener) {
    state.withLock { state in
      state.listeners.append(listener)
      if state.source == nil { state.source = LostReads.listen { handle($0) } }
    }
  }

  private static func remove(_ listener: Listener) {
    state.withLock { state in
      state.listeners.removeAll { $0 === listener }
      guard state.listeners.isEmpty, let source = state.source.take() else { return }
      LostReads.end(source)
    }
  }

  private static func handle(_ key: any DependencyKey.Type) {
    // This module reads these keys outside any scope.
    guard key != TestRunKey.self, key != TestKey.self else { return }
    let listeners = state.withLock { $0.listeners.filter { $0.keys(key) } }
    if let test = Test.current {
      // Ignore reads in a test that didn't ask.
      guard listeners.contains(where: { $0.test == test }) else { return }
      fail(test, over: LostRead(key))
    } else if listeners.count == 1 {
      let read = LostRead(key)
      listeners[0].reads.withLock { reads in
        // Report a line that reads in a loop once.
        if !reads.contains(read) { reads.append(read) }
      }
    } else if let first = listeners.first {
      let read = LostRead(key)
      let names = listeners.map { "“\($0.test.displayName ?? $0.test.name)”" }
      TestFailure.record(
        "\(read)\n  One of these tests lost its scope: \(names.sorted().joined(separator: ", ")).",
        at: read.location ?? first.test.sourceLocation)
    }
  }

  private static func fail(_ test: Test, over read: LostRead) {
    TestFailure.record(read.description, at: read.location ?? test.sourceLocation)
  }
}
