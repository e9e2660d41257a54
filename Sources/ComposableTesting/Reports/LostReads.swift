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
    private let reads = Mutex<[ObjectIdentifier: Read]>([:])

    private struct Read {
      let key: any DependencyKey.Type
      let caller: SourceStack?
      let isReported: Bool
    }

    fileprivate init(test: Test?, keys: @escaping @Sendable (any DependencyKey.Type) -> Bool) {
      self.test = test
      self.keys = keys
    }

    /// Whether another trait of the same test listens, too.
    fileprivate func isOfSameTest(as other: Listener) -> Bool {
      test != nil && test == other.test
    }

    /// Notes a read, and fails the test over it now or at the end; only once, if it is in a loop.
    fileprivate func note(_ key: any DependencyKey.Type, reportingNow isReported: Bool) {
      let id = ObjectIdentifier(key)
      if reads.withLock({ $0[id] }) != nil { return }
      let read = Read(key: key, caller: .captureCaller(), isReported: isReported)
      let isNew = reads.withLock { reads in
        // Another thread may have noted it meanwhile.
        if reads[id] != nil { return false }
        reads[id] = read
        return true
      }
      if isReported, isNew { fail(over: read) }
    }

    fileprivate var readKeys: [ObjectIdentifier] { reads.withLock { Array($0.keys) } }

    fileprivate func reportRest() {
      for read in reads.withLock({ $0 }).values where !read.isReported { fail(over: read) }
    }

    private func fail(over read: Read) {
      TestFailure.record(
        "\(DependencyIssue(lostReadOf: read.key))\(read.caller?.callerLine ?? "")",
        at: test?.sourceLocation ?? #_sourceLocation)
    }

    fileprivate var name: String {
      test.map { "“\($0.displayName ?? $0.name)”" } ?? "a test without a name"
    }
  }

  private struct State {
    var listeners: [Listener] = []
    var stopListening: (@Sendable () -> Void)?
    /// The keys whose reads were reported for several tests.
    var reported: Set<ObjectIdentifier> = []
  }

  private static let state = Mutex(State())

  /// The keys of which the current test has lost reads: its overrides of these have a report already.
  static var keysOfTest: Set<ObjectIdentifier> {
    let test = Test.current
    let listeners = state.withLock { $0.listeners }.filter { $0.test == test }
    return Set(listeners.flatMap(\.readKeys))
  }

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
    listener.reportRest()
  }

  private static func handle(_ key: any DependencyKey.Type) {
    let listeners = state.withLock { $0.listeners }.filter { $0.keys(key) }
    if let test = Test.current {
      // Ignore reads in a test that didn't ask.
      listeners.first { $0.test == test }?.note(key, reportingNow: true)
    } else if let first = listeners.first, listeners.dropFirst().allSatisfy(first.isOfSameTest(as:))
    {
      first.note(key, reportingNow: false)
    } else if let first = listeners.first {
      guard state.withLock({ $0.reported.insert(ObjectIdentifier(key)).inserted }) else { return }
      let names = Set(listeners.map(\.name)).sorted().joined(separator: ", ")
      TestFailure.record(
        """
        \(DependencyIssue(lostReadOf: key))
          One of these tests lost its scope: \(names).\(SourceStack.callerLine())
        """,
        at: first.test?.sourceLocation ?? #_sourceLocation)
    }
  }
}
