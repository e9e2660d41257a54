internal import ComposableDependencies
internal import DependencyDebugging
internal import Synchronization
internal import TestRuntime
internal import Testing

/// Fails tests over defaults that are read outside any scope, while tests that ask for it run.
enum LostReads {
  /// A test that asks for lost reads, and the reads that occurred while it was the only one.
  final class Listener: Sendable {
    /// `nil` for a test of XCTest.
    let test: Test?
    fileprivate let keys: @Sendable (any DependencyKey.Type) -> Bool
    fileprivate let reads = Mutex<[DependencyIssue]>([])

    fileprivate init(test: Test?, keys: @escaping @Sendable (any DependencyKey.Type) -> Bool) {
      self.test = test
      self.keys = keys
    }

    /// Whether another trait of the same test listens, too.
    fileprivate func isOfSameTest(as other: Listener) -> Bool {
      test != nil && test == other.test
    }

    fileprivate var name: String {
      test.map { "“\($0.displayName ?? $0.name)”" } ?? "a test without a name"
    }
  }

  private struct State {
    var listeners: [Listener] = []
    var stopListening: (@Sendable () -> Void)?
    /// The reads that were reported for several tests.
    var reported: Set<DependencyIssue> = []
  }

  private static let state = Mutex(State())

  /// Reports lost reads until the listener ends.
  ///
  /// - Parameter keys: The keys whose reads are reported.
  static func begin(
    in test: Test? = .current,
    of keys: @escaping @Sendable (any DependencyKey.Type) -> Bool = { _ in true }
  ) -> Listener {
    let listener = Listener(test: test, keys: keys)
    state.withLock { state in
      state.listeners.append(listener)
      if state.stopListening == nil {
        state.stopListening = DependencyScope.root.listenToLostReads { handle($0.key) }
      }
    }
    return listener
  }

  static func end(_ listener: Listener) {
    state.withLock { state in
      state.listeners.removeAll { $0 === listener }
      guard state.listeners.isEmpty, let stopListening = state.stopListening.take() else { return }
      state.reported = []
      stopListening()
    }
    for read in listener.reads.withLock({ $0 }) { fail(listener.test, over: read) }
  }

  private static func handle(_ key: any DependencyKey.Type) {
    // This module reads these keys outside any scope.
    guard !(key is any UnrecordedKey.Type) else { return }
    let listeners = state.withLock { $0.listeners }.filter { $0.keys(key) }
    if let test = Test.current {
      // Ignore reads in a test that didn't ask.
      guard listeners.contains(where: { $0.test == test }) else { return }
      fail(test, over: DependencyIssue(lostReadOf: key))
    } else if let first = listeners.first, listeners.dropFirst().allSatisfy(first.isOfSameTest(as:))
    {
      let read = DependencyIssue(lostReadOf: key)
      first.reads.withLock { reads in
        // Report a read in a loop once.
        if !reads.contains(read) { reads.append(read) }
      }
    } else if let first = listeners.first {
      let read = DependencyIssue(lostReadOf: key)
      guard isNew(read) else { return }
      let names = Set(listeners.map(\.name))
      TestFailure.record(
        "\(read)\n  One of these tests lost its scope: \(names.sorted().joined(separator: ", ")).",
        at: first.test?.sourceLocation ?? #_sourceLocation)
    }
  }

  /// Whether a read wasn't reported yet, which may be of several tests.
  private static func isNew(_ read: DependencyIssue) -> Bool {
    state.withLock { $0.reported.insert(read).inserted }
  }

  private static func fail(_ test: Test?, over read: DependencyIssue) {
    TestFailure.record("\(read)", at: test?.sourceLocation ?? #_sourceLocation)
  }
}
