package import ComposableDependencies
internal import Synchronization

/// Where an override or a global value was set, and what it replaced.
///
/// The overrides of aliased keys share it.
package final class Origin: Sendable {
  /// The key that was set.
  package let key: any DependencyKey.Type
  package let place: SourcePlace
  /// Where what this replaced was set, the latest first.
  ///
  /// A long history keeps only its latest part, so that a loop of overrides needs no memory.
  let shadowed: [SourcePlace]
  /// How many older values this replaced that ``shadowed`` doesn't list.
  let olderCount: Int
  /// The calls that built the scope, the outermost first, and this override's own at the end.
  ///
  /// Limited like ``shadowed``.
  let calls: [OverridingCall]
  let recorder: Recorder
  private let read = Atomic(false)

  static let longestHistory = 8

  init(
    of key: any DependencyKey.Type, _ place: SourcePlace, replacing older: Origin?,
    in calls: [OverridingCall], reportingTo recorder: Recorder
  ) {
    self.key = key
    self.place = place
    self.recorder = recorder
    self.calls = calls
    let all = older.map { [$0.place] + $0.shadowed } ?? []
    shadowed = Array(all.prefix(Self.longestHistory))
    olderCount = (older?.olderCount ?? 0) + all.count - shadowed.count
    recorder.add(self)
  }

  deinit { recorder.remove(self) }

  /// Whether any read found the override, in a scope that records reads.
  package var wasRead: Bool { read.load(ordering: .relaxed) }

  func noteRead() { read.store(true, ordering: .relaxed) }
}

extension Override {
  /// Where this override was set, if that was recorded.
  package var origin: Origin? { record as? Origin }
}

extension DependencyScope {
  /// Where the overrides were set that this scope has, but `scope`, which it was built on, doesn't.
  package func origins(addedTo scope: DependencyScope) -> [Origin] {
    var origins: [Origin] = []
    for case let origin? in overrides(addedTo: scope).map(\.origin)
    where !origins.contains(where: { $0 === origin }) {
      origins.append(origin)
    }
    return origins
  }

  /// The places that built this scope, the outermost first.
  var recordedScopes: [SourcePlace] { recordedCalls.map(\.place) }

  /// The calls that built this scope, the outermost first.
  var recordedCalls: [OverridingCall] { newestOverride?.origin?.calls ?? [] }
}
