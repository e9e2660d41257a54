internal import ComposableDependencies
internal import Synchronization

/// One call that sets dependencies where places are recorded, such as `withDependencies`.
///
/// It gives each override its place.
final class RecordedUpdate: Sendable {
  /// The update that is running.
  @TaskLocal static var current: RecordedUpdate?

  private let calls: [OverridingCall]
  let recorder: Recorder
  /// The number of defaults that run this update.
  private let depth = Read.currentDefaults.count

  private struct State {
    /// The reads of defaults that the update may replace.
    var reads: [Read] = []
    /// The keys that the update has overridden, and those that are aliased to them.
    var overridden: Set<ObjectIdentifier> = []
  }

  /// `nil` after the end of the update.
  private let state = Mutex<State?>(State())

  init(at place: SourcePlace, in scope: DependencyScope, reportingTo recorder: Recorder) {
    self.recorder = recorder
    calls = (scope.recordedCalls + [OverridingCall(at: place)]).suffix(Origin.longestHistory)
  }

  /// The place of an override that is about to be set, if places are recorded.
  func origin(of key: any DependencyKey.Type, in scope: DependencyScope) -> Origin? {
    if key is any UnrecordedKey.Type { return nil }
    let keys = scope.aliasedKeys(with: key).map { ObjectIdentifier($0) }
    state.withLock { $0?.overridden.formUnion(keys) }
    if !recorder.recordsPlaces { return nil }
    var older: Origin?
    if case .override(let override) = scope.source(of: key) { older = override.origin }
    let call = calls.last!
    let origin = Origin(of: key, call.place, replacing: older, in: calls, reportingTo: recorder)
    call.add(origin, for: keys)
    return origin
  }

  /// Keeps a read of a default until the end of the update.
  ///
  /// - Returns: `false` if the update can't replace it: it has ended, or has already overridden the key.
  ///   Then the read is one in another scope, as in `$0.shop = Shop()`.
  func keep(_ read: Read) -> Bool {
    let key = ObjectIdentifier(read.outermostKey(inside: depth))
    return state.withLock { state in
      if state?.overridden.contains(key) ?? true { return false }
      // Bounded, because an update may read in a loop.
      if !state!.reads.contains(where: { $0.isSame(as: read) }) { state!.reads.append(read) }
      return true
    }
  }

  /// Ends the update, and returns the reads of defaults that the new scope doesn't override.
  ///
  /// The others count as not read: `with(\.k, v)` reads `k` first, because Swift does.
  func end(in scope: DependencyScope) -> [Read] {
    (state.withLock { $0.take() }?.reads ?? []).filter {
      if case .override = scope.source(of: $0.outermostKey(inside: depth)) { false } else { true }
    }
  }
}

extension Read {
  /// The key whose read led to this one, inside a number of defaults that are being computed.
  fileprivate func outermostKey(inside count: Int) -> any DependencyKey.Type {
    defaults.dropLast(count).last ?? key
  }

  fileprivate func isSame(as other: Read) -> Bool {
    key == other.key && isLost == other.isLost
      && scope.isOutsideAnyScope == other.scope.isOutsideAnyScope
      && defaults.elementsEqual(other.defaults, by: ==)
  }
}
