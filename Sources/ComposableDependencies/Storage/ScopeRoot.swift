/// What all scopes that are built on one root have in common.
final class ScopeRoot: Sendable {
  let owner: StoreOwner
  /// Whether this is the root of scopes that were built outside any scope.
  let isLost: Bool
  /// What watches reads, if this belongs to the scope of a `make`.
  let tracker: InputTracker?
  /// What a read of a default looks out for.
  let concerns: StoreOptions

  static let outsideAnyScope = ScopeRoot(owner: .process, isLost: true)

  init(owner: StoreOwner, isLost: Bool = false, tracker: InputTracker? = nil) {
    self.owner = owner
    self.isLost = isLost
    self.tracker = tracker
    var concerns: StoreOptions = [.testValues, .observingReads]
    if isLost { concerns.insert(.observingLostReads) }
    if tracker != nil { concerns.insert(.tracked) }
    self.concerns = concerns
  }

  @inline(__always)
  var isTracked: Bool { concerns.contains(.tracked) }

  @inline(__always)
  var unownedOwner: Unowned<StoreOwner> { Unowned(owner) }
}
