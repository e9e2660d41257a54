internal import Synchronization

/// One call that sets dependencies where places are recorded, such as `withDependencies`.
///
/// It gives each override its place.
final class RecordedUpdate: Sendable {
  private struct State {
    /// The reads of defaults that the update may still replace.
    var reads: [RecordedRead] = []
    var origins: [RecordedOverride] = []
    var isOver = false
  }

  let place: SourceLocation
  private let scopes: [SourceLocation]
  private let state = Mutex(State())

  init(at place: SourceLocation, in scope: ScopeNode?) {
    self.place = place
    scopes = (scope.recordedScopes + [place]).suffix(Origin.longestHistory)
  }

  /// The overrides that were set, in order.
  var origins: [RecordedOverride] { state.withLock { $0.origins } }

  /// The place of an override that is about to be set.
  ///
  /// A default that was read and is now replaced counts as not read: `with(\.k, v)` reads `k` first,
  /// because Swift does.
  func origin(of key: any DependencyKey.Type, in scope: ScopeNode?) -> Origin? {
    if key is any UnrecordedKey.Type { return nil }
    let store = scope.store
    let older = scope.flatMap { store.override(of: key, in: $0)?.origin }
    let origin = Origin(place, replacing: older, in: scopes, reportingTo: store.recorder)
    let keys = (store.aliasedKeys(with: ObjectIdentifier(key)) ?? [key]).map {
      ObjectIdentifier($0)
    }
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
  func end(over store: GlobalStore) {
    let reads = state.withLock { state in
      defer { state.reads = [] }
      state.isOver = true
      return state.reads
    }
    for read in reads { store.recorder.report(read) }
  }
}

/// An override that an update set.
@usableFromInline
package struct RecordedOverride: Sendable {
  package let key: any DependencyKey.Type
  package let origin: Origin
}

extension DependencyScope {
  /// Returns a scope with more overrides, set at a place, and those overrides if they are recorded.
  package func with(
    at place: SourceLocation, _ update: (inout Dependencies) -> Void
  ) -> (scope: DependencyScope, overrides: [RecordedOverride]) {
    var dependencies = Dependencies(node: node)
    let isRecorded = dependencies.isRecorded
    if isRecorded { dependencies.beginRecording(fileID: place.fileID, line: place.line) }
    update(&dependencies)
    let overrides = isRecorded ? dependencies.endRecording() : []
    return (DependencyScope(node: dependencies.node), overrides)
  }
}

// MARK: - Updating

extension Dependencies {
  /// Whether the places of overrides are recorded in this scope.
  @usableFromInline
  var isRecorded: Bool {
    // Not unwrapped, because that would retain it.
    Unowned.optional(node)?.borrow { $0.unownedStore.borrow { $0.recordsPlaces } }
      ?? GlobalStore.process.recordsPlaces
  }

  /// Sets dependencies, with a place in the code.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func run(
    _ update: (inout Dependencies) -> Void, fileID: StaticString, line: UInt
  ) {
    let isRecorded = isRecorded
    if isRecorded { beginRecording(fileID: fileID, line: line) }
    update(&self)
    if isRecorded { endRecording() }
  }

  @usableFromInline
  mutating func beginRecording(fileID: StaticString, line: UInt) {
    let place = SourceLocation(fileID: fileID, line: line)
    update = DependencyUpdate(recorded: RecordedUpdate(at: place, in: node))
  }

  /// Ends the update, and returns its overrides.
  @discardableResult
  @usableFromInline
  mutating func endRecording() -> [RecordedOverride] {
    guard let recorded = update.take()?.recorded else { return [] }
    recorded.end(over: node.store)
    return recorded.origins
  }
}
