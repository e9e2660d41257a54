/// Overrides of distinct keys, found by their keys. It owns them.
///
/// Open addressing with linear probing. At most half of the slots are used.
// Not a dictionary: hashing a key costs as much as a whole read, and a lookup retains what it finds.
// Unchecked because of the pointer. Its owner orders changes and lookups.
@safe
struct OverrideTable: ~Copyable, @unchecked Sendable {
  private typealias Slots = UnsafeMutableBufferPointer<Unowned<Override>?>

  private var slots: Slots
  private(set) var count = 0

  /// - Parameter room: How many overrides there is room for.
  init(room: Int = 0) {
    unsafe slots = Self.makeSlots(room)
  }

  deinit {
    forEach { $0.release() }
    unsafe slots.deallocate()
  }

  private static func makeSlots(_ room: Int) -> Slots {
    var count = room == 0 ? 1 : 32
    while count < 2 * room { count *= 2 }
    let slots = Slots.allocate(capacity: count)
    unsafe slots.initialize(repeating: nil)
    return unsafe slots
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<Override>? {
    unsafe slots[slot(of: id, hash)]
  }

  @inline(__always)
  func forEach(_ body: (Unowned<Override>) -> Void) {
    if count == 0 { return }
    for slot in unsafe slots.indices {
      if let override = unsafe slots[slot] { body(override) }
    }
  }

  /// Makes room for more overrides.
  mutating func makeRoom(for new: Int) {
    if unsafe 2 * (count + new) <= slots.count { return }
    let old = unsafe slots
    unsafe slots = Self.makeSlots(max(old.count, count + new))
    for present in old.indices {
      guard let override = unsafe old[present] else { continue }
      let slot = slot(of: override.id, KeyHash(override.id))
      unsafe slots[slot] = override
    }
    unsafe old.deallocate()
  }

  /// Inserts a retained override, for which there is room.
  ///
  /// - Returns: The override that it replaces, which the caller must release.
  @inline(__always)
  mutating func insert(_ override: Unowned<Override>) -> Unowned<Override>? {
    let id = override.id
    let slot = slot(of: id, KeyHash(id))
    let replaced = unsafe slots[slot]
    unsafe slots[slot] = override
    if replaced == nil { count &+= 1 }
    return replaced
  }

  /// The slot that has the override of a key, or would have it.
  @inline(__always)
  private func slot(of id: ObjectIdentifier, _ hash: KeyHash) -> Int {
    let slots = unsafe slots
    let mask = slots.count &- 1
    var slot = hash.slot(mask)
    while let override = unsafe slots[slot], override.id != id { slot = (slot &+ 1) & mask }
    return slot
  }
}
