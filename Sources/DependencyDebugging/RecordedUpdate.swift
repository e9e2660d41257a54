internal import ComposableDependencies
internal import Synchronization

/// One call that sets dependencies where places are recorded, such as `withDependencies`.
///
/// It gives each override its place.
final class RecordedUpdate: Sendable {
  /// The update that is running.
  @TaskLocal static var current: RecordedUpdate?

  private struct State {
    /// The reads of defaults that the update may still replace.
    var reads: [RecordedRead] = []
    var isOver = false
  }

  private let place: SourceLocation
  private let scopes: [SourceLocation]
  private let recorder: Recorder
  private let state = Mutex(State())

  init(at place: SourceLocation, in scope: DependencyScope, reportingTo recorder: Recorder) {
    self.place = place
    self.recorder = recorder
    scopes = (scope.recordedScopes + [place]).suffix(Origin.longestHistory)
  }

  func run(_ update: () -> Void) {
    Self.$current.withValue(self, operation: update)
    end()
  }

  /// The place of an override that is about to be set.
  ///
  /// A default that was read and is now replaced counts as not read: `with(\.k, v)` reads `k` first,
  /// because Swift does.
  func origin(of key: any DependencyKey.Type, in scope: DependencyScope) -> Origin? {
    if key is any UnrecordedKey.Type { return nil }
    var older: Origin?
    if case .override(let override) = scope.source(of: key) { older = override.origin }
    let keys = scope.aliasedKeys(with: key).map { ObjectIdentifier($0) }
    state.withLock { state in
      state.reads.removeAll { keys.contains(ObjectIdentifier($0.outermostKey)) }
    }
    return Origin(of: key, place, replacing: older, in: scopes, reportingTo: recorder)
  }

  /// Keeps a read of a default until the end of the update.
  ///
  /// - Returns: Whether the update has ended already.
  func add(_ read: RecordedRead) -> Bool {
    state.withLock { state in
      if state.isOver { return true }
      // Bounded, because an update may read in a loop.
      if !state.reads.contains(where: { $0.isSame(as: read) }) { state.reads.append(read) }
      return false
    }
  }

  /// Reports the reads that remain.
  private func end() {
    let reads = state.withLock { state in
      defer { state.reads = [] }
      state.isOver = true
      return state.reads
    }
    for read in reads { recorder.report(read) }
  }
}
