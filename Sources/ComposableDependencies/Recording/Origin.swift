internal import Synchronization

/// Where an override or a global value was set, and what it replaced.
///
/// All copies of the override share it.
// Unchecked, because a subclass must repeat what its superclass is. Immutable, apart from an atomic.
package final class Origin: ReadObserver, @unchecked Sendable {
  package let place: SourceLocation
  /// Where what this replaced was set, the latest first.
  ///
  /// Of a long history it keeps the latest part, so that a loop of overrides needs no memory.
  let shadowed: [SourceLocation]
  /// How many older values this replaced that ``shadowed`` doesn't list.
  let olderCount: Int
  /// The place in the code of each scope that this was set in, the outermost first.
  ///
  /// The same limit applies.
  let scopes: [SourceLocation]
  let recorder: ReadRecorder
  private let read = Atomic(false)

  static let longestHistory = 8

  init(
    _ place: SourceLocation, replacing older: Origin?, in scopes: [SourceLocation],
    reportingTo recorder: ReadRecorder
  ) {
    self.place = place
    self.recorder = recorder
    self.scopes = scopes
    guard let older else {
      (shadowed, olderCount) = ([], 0)
      return
    }
    let all = [older.place] + older.shadowed
    shadowed = Array(all.prefix(Self.longestHistory))
    olderCount = older.olderCount + all.count - shadowed.count
  }

  /// Whether any read found the override, in a scope that records reads.
  package var wasRead: Bool { read.load(ordering: .relaxed) }

  override func didRead(
    _ key: any DependencyKey.Type, of override: any DependencyKey.Type
  ) {
    // Most reads, so that they cost little more than without recording.
    if wasRead, !recorder.hasListeners { return }
    if ReadCharge.isProbing { return }
    noteRead()
    recorder.report(
      RecordedRead(key: key, source: .override(self), defaults: ReadCharge.current?.keys ?? []))
  }

  func noteRead() { read.store(true, ordering: .relaxed) }
}

extension ScopeNode? {
  /// The places that built this scope, the outermost first.
  var recordedScopes: [SourceLocation] { self?.newest?.object.origin?.scopes ?? [] }
}
