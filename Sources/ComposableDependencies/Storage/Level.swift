internal import Synchronization

/// The overrides of a scope beyond those of its node, on top of a larger level.
///
/// The first level copies at most 64 overrides to add others to them. Then it moves to the next one,
/// which is sixteen times as large. So n overrides cost n log n, and a read looks into few levels.
// Unchecked, because it changes while a single reference leads to it.
@safe
final class Level: @unchecked Sendable {
  let root: ScopeRoot
  /// The root's store.
  let store: Unowned<GlobalStore>
  private let lower: Level?
  // Safe for the same reason. The dynamic check takes as long as the rest of a read.
  @safe @exclusivity(unchecked) private var table: OverrideTable
  private let moved = AtomicLazyReference<Level>()

  /// What is below an override that is set outside any scope.
  static let outsideAnyScope = Level(.outsideAnyScope)

  convenience init(_ root: ScopeRoot) {
    self.init(root, over: nil, room: 0)
  }

  private init(_ root: ScopeRoot, over lower: Level?, room: Int) {
    self.root = root
    store = Unowned(root.store)
    self.lower = lower
    table = OverrideTable(room: room)
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<Override>? {
    table.find(id, hash) ?? Unowned.optional(lower)?.borrow { $0.findBelow(id, hash) }
  }

  private func findBelow(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<Override>? {
    find(id, hash)
  }

  /// Calls `body` with each override that a read finds.
  func forEach(_ body: (Unowned<Override>) -> Void) {
    table.forEach(body)
    lower?.forEach { if table.find($0.id, KeyHash($0.id)) == nil { body($0) } }
  }
}

extension Level {
  /// Adds overrides, which replace others of the same keys; in place if `level` is the only reference.
  ///
  /// - Parameter new: Calls its argument with each override, retained.
  static func add(
    _ count: Int, to level: inout Level, _ new: ((Unowned<Override>) -> Void) -> Void
  ) {
    // What others have moved must not change.
    if isKnownUniquelyReferenced(&level), level.moved.load() == nil {
      level.table.makeRoom(for: count)
      let level = level
      new { level.insert($0) }
    } else {
      level = level.adding(count, new)
    }
  }

  /// Returns a level that holds more overrides, which replace others of the same keys.
  ///
  /// - Parameters:
  ///   - most: How many overrides may be copied to add others to them.
  ///   - new: Calls its argument with each override, retained.
  func adding(
    _ count: Int, most: Int = 64, _ new: ((Unowned<Override>) -> Void) -> Void
  ) -> Level {
    let level: Level
    if table.count + count <= most {
      level = Level(root, over: lower, room: table.count + count)
      table.forEach { level.insert($0.retained()) }
    } else {
      level = Level(root, over: movedToNext(most), room: count)
    }
    new { level.insert($0) }
    return level
  }

  /// A level that holds these overrides and those of the level below, for all levels built on this.
  private func movedToNext(_ most: Int) -> Level {
    guard let lower else { return self }
    if let published = moved.load() { return published }
    let next = lower.adding(table.count, most: 16 * most) { insert in
      table.forEach { insert($0.retained()) }
    }
    return moved.storeIfNil(next)
  }

  @inline(__always)
  private func insert(_ override: Unowned<Override>) {
    table.insert(override)?.release()
  }
}
