internal import Synchronization

// Each `unsafe` here accesses a slot of a table. Slots have numbers from 0 to the mask, and all of them
// are initialized. The table alone has their address, and its owner orders changes and lookups.

/// The overrides of a scope besides the newest, which its node has: in a table, on top of a larger one.
///
/// The first table copies at most 64 overrides to add others to them. Then they move to the next one,
/// which is sixteen times as large. So n overrides cost n log n, and a read searches few tables.
// Unchecked, because it changes while a single reference leads to it.
@safe
final class OlderOverrides: @unchecked Sendable {
  let root: ScopeRoot
  /// The root's store.
  let store: Unretained<GlobalStore>
  private let larger: OlderOverrides?
  // Safe for the same reason. The dynamic check takes as long as the rest of a read.
  @safe @exclusivity(unchecked) private var table: OverrideTable
  /// The larger one with the overrides of this table, for all scopes that move them there.
  private let moved = AtomicLazyReference<OlderOverrides>()

  /// None, for a scope that is built outside any scope.
  static let outsideAnyScope = OlderOverrides(.outsideAnyScope)

  convenience init(_ root: ScopeRoot) {
    self.init(root, over: nil, table: OverrideTable())
  }

  private init(
    _ root: ScopeRoot, over larger: OlderOverrides?, table: consuming OverrideTable
  ) {
    self.root = root
    store = Unretained(root.store)
    self.larger = larger
    self.table = table
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    if let override = table.find(id, hash) { return override }
    guard let larger = Unretained.optional(larger) else { return nil }
    return larger.borrow { $0.findHere(id, hash) }
  }

  private func findHere(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    find(id, hash)
  }

  /// Calls `body` with each override that a read finds.
  func forEach(_ body: (Unretained<Override>) -> Void) {
    table.forEach(body)
    larger?.forEach { if table.find($0.id, KeyHash($0.id)) == nil { body($0) } }
  }
}

extension OlderOverrides {
  /// Adds overrides, which replace others of the same keys; in place if `all` is the only reference.
  ///
  /// - Parameter new: Calls its argument with each override, retained.
  static func add(
    _ count: Int, to all: inout OlderOverrides, _ new: ((Unretained<Override>) -> Void) -> Void
  ) {
    // A table whose overrides other scopes have moved must not change.
    if isKnownUniquelyReferenced(&all), all.moved.load() == nil {
      all.table.makeRoom(for: count)
      let all = all
      new { all.insert($0) }
    } else {
      all = all.adding(count, new)
    }
  }

  /// Returns these overrides and others, which replace those of the same keys.
  ///
  /// - Parameters:
  ///   - most: How many overrides may be copied to add others to them.
  ///   - new: Calls its argument with each override, retained.
  func adding(
    _ count: Int, most: Int = 64, _ new: ((Unretained<Override>) -> Void) -> Void
  ) -> OlderOverrides {
    let all: OlderOverrides
    if table.count + count <= most {
      all = OlderOverrides(root, over: larger, table: table.copy(makingRoomFor: count))
    } else {
      all = OlderOverrides(root, over: movedToLarger(most), table: OverrideTable(room: count))
    }
    new { all.insert($0) }
    return all
  }

  /// These overrides, moved to the larger table, if there is one.
  private func movedToLarger(_ most: Int) -> OlderOverrides {
    guard let larger else { return self }
    if let published = moved.load() { return published }
    let next = larger.adding(table.count, most: 16 * most) { insert in
      table.forEach { insert($0.retained()) }
    }
    return moved.storeIfNil(next)
  }

  @_transparent
  private func insert(_ override: Unretained<Override>) {
    table.insert(override)?.release()
  }
}

// MARK: - A table

/// Overrides of distinct keys, found by their keys. It owns them.
///
/// Open addressing with linear probing. At most half of the slots are used.
// Not a dictionary: hashing a key costs as much as a whole read, and a lookup retains what it finds.
// Unchecked because of the pointer.
@safe
struct OverrideTable: ~Copyable, @unchecked Sendable {
  private typealias Slots = UnsafeMutablePointer<Unretained<Override>?>

  private var slots: Slots
  private var mask: Int
  private(set) var count = 0

  /// - Parameter room: How many overrides there is room for.
  init(room: Int = 0) {
    self.init(mask: Self.mask(forRoom: room))
  }

  private init(mask: Int) {
    self.mask = mask
    unsafe slots = Self.makeSlots(mask)
  }

  deinit {
    forEach { $0.release() }
    unsafe slots.deallocate()
  }

  private static func mask(forRoom room: Int) -> Int {
    var count = room == 0 ? 1 : 32
    while count < 2 * room { count *= 2 }
    return count - 1
  }

  private static func makeSlots(_ mask: Int) -> Slots {
    let slots = Slots.allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: nil, count: mask + 1)
    return unsafe slots
  }

  @_transparent
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    unsafe slots[slot(of: id, hash)]
  }

  @_transparent
  func forEach(_ body: (Unretained<Override>) -> Void) {
    if count == 0 { return }
    var slot = 0
    while slot <= mask {
      if let override = unsafe slots[slot] { body(override) }
      slot &+= 1
    }
  }

  /// Returns a table of the same overrides, with room for more.
  func copy(makingRoomFor new: Int) -> OverrideTable {
    var copy = OverrideTable(mask: mask)
    unsafe copy.slots.update(from: slots, count: mask + 1)
    copy.count = count
    forEach { _ = $0.retained() }
    copy.makeRoom(for: new)
    return copy
  }

  /// Makes room for more overrides.
  mutating func makeRoom(for new: Int) {
    if 2 * (count + new) <= mask + 1 { return }
    let old = unsafe (slots: slots, mask: mask)
    mask = Self.mask(forRoom: max(mask + 1, count + new))
    unsafe slots = Self.makeSlots(mask)
    var present = 0
    while unsafe present <= old.mask {
      if let override = unsafe old.slots[present] {
        let slot = slot(of: override.id, KeyHash(override.id))
        unsafe slots[slot] = override
      }
      present &+= 1
    }
    unsafe old.slots.deallocate()
  }

  /// Inserts a retained override, for which there is room.
  ///
  /// - Returns: The override that it replaces, which the caller must release.
  @_transparent
  mutating func insert(_ override: Unretained<Override>) -> Unretained<Override>? {
    let id = override.id
    let slot = slot(of: id, KeyHash(id))
    let replaced = unsafe slots[slot]
    unsafe slots[slot] = override
    if replaced == nil { count &+= 1 }
    return replaced
  }

  /// The slot that has the override of a key, or would have it.
  @_transparent
  private func slot(of id: ObjectIdentifier, _ hash: KeyHash) -> Int {
    var slot = hash.slot(mask)
    while let override = unsafe slots[slot], override.id != id { slot = (slot &+ 1) & mask }
    return slot
  }
}
