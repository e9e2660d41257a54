package import ComposableDependencies
internal import Synchronization

/// One call that sets dependencies where places are recorded, such as `withDependencies`.
///
/// It gives each override its place.
final class RecordedUpdate: UpdateObserver {
  private struct State {
    /// The reads of defaults that the update may still replace.
    var reads: [RecordedRead] = []
    var origins: [RecordedOverride] = []
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

  /// The overrides that were set, in order.
  var origins: [RecordedOverride] { state.withLock { $0.origins } }

  /// The place of an override that is about to be set.
  ///
  /// A default that was read and is now replaced counts as not read: `with(\.k, v)` reads `k` first,
  /// because Swift does.
  func observer(
    of key: any DependencyKey.Type, in scope: DependencyScope
  ) -> (any ReadObserver)? {
    if key is any UnrecordedKey.Type { return nil }
    var older: Origin?
    if case .override(let override) = scope.source(of: key) { older = override.origin }
    let origin = Origin(place, replacing: older, in: scopes, reportingTo: recorder)
    let keys = scope.aliasedKeys(with: key).map { ObjectIdentifier($0) }
    state.withLock { state in
      state.origins.removeAll { keys.contains(ObjectIdentifier($0.key)) }
      state.origins.append(RecordedOverride(key: key, origin: origin))
      state.reads.removeAll { keys.contains(ObjectIdentifier($0.outermostKey)) }
    }
    return origin
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
  func end() {
    let reads = state.withLock { state in
      defer { state.reads = [] }
      state.isOver = true
      return state.reads
    }
    for read in reads { recorder.report(read) }
  }
}

/// An override that an update set.
package struct RecordedOverride: Sendable {
  package let key: any DependencyKey.Type
  package let origin: Origin
}

extension DependencyScope {
  /// Returns a scope with more overrides, set at a place, and those overrides if they are recorded.
  package func with(
    at place: SourceLocation, _ update: (inout Dependencies) -> Void
  ) -> (scope: DependencyScope, overrides: [RecordedOverride]) {
    let (scope, update) = updated(at: place, update)
    return (scope, (update?.observer as? RecordedUpdate)?.origins ?? [])
  }
}
