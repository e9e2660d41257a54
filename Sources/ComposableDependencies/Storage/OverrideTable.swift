/// The storage below a chain: the overrides taken over from older chains, and the global store.
///
/// The overrides are in levels. The first holds at most ``capacity`` overrides, and is copied when
/// a scope in use elsewhere is built on. A full level moves to the next, which is sixteen times as
/// large. So n distinct overrides cost n log n, regardless of the scopes kept alive meanwhile; up
/// to 512 overrides, a read looks into one level.
// Unchecked, because it changes until it is published. Until then, only one reference leads to it.
final class OverrideTable: @unchecked Sendable {
  let owner: StoreOwner
  /// The owner's store.
  let unownedStore: Unowned<GlobalStore>
  /// Whether this was built outside any scope.
  let isLost: Bool
  /// What watches reads, if this belongs to the scope of a `make`.
  let tracker: InputTracker?
  /// What a read of a default looks out for.
  let concerns: GlobalStore.DefaultOptions
  /// Keeps every override that the levels find, and those that were replaced since.
  var kept: OverrideNode?
  // Unchecked, because the check would double the cost of a lookup. No access runs user code.
  @exclusivity(unchecked) private var index: OverrideIndex
  private var lower: OverrideLevel?
  /// The number of kept nodes that no read finds.
  private var replacedCount = 0

  private static let capacity = 512

  /// What is below an override that is set outside any scope.
  static let outsideAnyScope = OverrideTable(owner: .process, isLost: true)

  init(owner: StoreOwner, isLost: Bool = false, tracker: InputTracker? = nil) {
    self.owner = owner
    unownedStore = Unowned(owner.store)
    self.isLost = isLost
    self.tracker = tracker
    var concerns: GlobalStore.DefaultOptions = [.testValues, .recordingReads]
    if isLost { concerns.insert(.reportingLostReads) }
    if tracker != nil { concerns.insert(.tracked) }
    self.concerns = concerns
    unsafe index = OverrideIndex()
  }

  init(copying table: OverrideTable) {
    owner = table.owner
    unownedStore = table.unownedStore
    isLost = table.isLost
    tracker = table.tracker
    concerns = table.concerns
    kept = table.kept
    unsafe index = OverrideIndex(copying: table.index)
    lower = table.lower
    replacedCount = table.replacedCount
  }

  @inline(__always)
  var isTracked: Bool { concerns.contains(.tracked) }

  @inline(__always)
  var unownedOwner: Unowned<StoreOwner> { Unowned(owner) }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Override? {
    if let found = unsafe index.find(id, hash) { return found }
    guard let lower = Unowned.optional(lower) else { return nil }
    return lower.borrow { $0.find(id, hash) }
  }

  /// Calls `body` with each override that a read finds.
  func forEach(_ body: (Override) -> Void) {
    unsafe index.forEach(body)
    lower?.forEach { override in
      if find(override.id, KeyHash(override.id)) == override { body(override) }
    }
  }

  var isEmpty: Bool { unsafe index.count == 0 && lower == nil }

  func insert(_ override: Override) {
    if unsafe index.count == Self.capacity { makeRoom() }
    if unsafe index.insert(override) != nil { replacedCount += 1 }
  }

  private func makeRoom() {
    var full = OverrideIndex()
    unsafe swap(&full, &index)
    (lower, replacedCount) = OverrideLevel.adding(
      full, to: lower.take(), capacity: 16 * Self.capacity, replacedCount: replacedCount)
  }

  /// Frees the nodes that no read finds, once they outnumber half of the others.
  ///
  /// So each replacing override pays for copying at most two.
  func makeCompact() {
    let count = unsafe index.count + (lower?.count ?? 0)
    guard replacedCount > 8 + count / 2 else { return }
    var copies = OverrideCopies(count, on: nil)
    var copied = OverrideIndex()
    forEach { _ = copied.insert(copies.add($0)) }
    if copied.count > Self.capacity {
      lower = OverrideLevel(copied, above: nil)
      unsafe index = OverrideIndex()
    } else {
      unsafe index = copied
      lower = nil
    }
    replacedCount = 0
    // Last, because freeing an override may run user code.
    kept = copies.kept
  }
}

/// The overrides of a table beyond its first level.
final class OverrideLevel: Sendable {
  private let index: OverrideIndex
  private let lower: OverrideLevel?

  init(_ index: consuming OverrideIndex, above lower: OverrideLevel?) {
    self.index = index
    self.lower = lower
  }

  /// Returns levels that also hold `new`, whose overrides replace older ones of the same keys.
  static func adding(
    _ new: consuming OverrideIndex, to level: OverrideLevel?, capacity: Int, replacedCount: Int
  ) -> (level: OverrideLevel, replacedCount: Int) {
    guard let level else { return (OverrideLevel(new, above: nil), replacedCount) }
    if level.index.count + new.count > capacity {
      let (lower, count) = adding(
        OverrideIndex(copying: level.index), to: level.lower, capacity: 16 * capacity,
        replacedCount: replacedCount)
      return (OverrideLevel(new, above: lower), count)
    }
    var count = replacedCount
    var merged = OverrideIndex(copying: level.index)
    new.forEach { if merged.insert($0) != nil { count += 1 } }
    return (OverrideLevel(merged, above: level.lower), count)
  }

  var count: Int { index.count + (lower?.count ?? 0) }

  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Override? {
    index.find(id, hash) ?? lower?.find(id, hash)
  }

  func forEach(_ body: (Override) -> Void) {
    index.forEach(body)
    lower?.forEach(body)
  }
}
