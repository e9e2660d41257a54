// Each `unsafe` here accesses a slot of a table. Slots have numbers from 0 to the mask, and all of them
// are initialized. The table alone has their address, and its owner orders changes and lookups.

/// Overrides of distinct keys, found by their keys. It owns them.
///
/// Open addressing with linear probing. At most half of the slots are used.
// The plain form is a dictionary. A read takes twice as long: hashing a key costs as much as the rest, and
// a lookup retains what it finds.
// Unchecked because of the pointer.
@safe
struct OverrideTable: ~Copyable, @unchecked Sendable {
  private var slots: UnsafeMutablePointer<Unretained<Override>?>
  private var mask: Int
  private(set) var count = 0

  init(mask: Int = 0) {
    self.mask = mask
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: nil, count: mask + 1)
  }

  private subscript(slot: Int) -> Unretained<Override>? {
    get { unsafe slots[slot] }
    nonmutating set { unsafe slots[slot] = newValue }
  }

  deinit {
    forEach { $0.release() }
    unsafe slots.deallocate()
  }

  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    self[slot(of: id, hash)]
  }

  func forEach(_ body: (Unretained<Override>) -> Void) {
    if count == 0 { return }
    var slot = 0
    while slot <= mask {
      if let override = self[slot] { body(override) }
      slot &+= 1
    }
  }

  /// Returns a table of the same overrides, with room for more.
  func copy(makingRoomFor new: Int) -> OverrideTable {
    var copy = OverrideTable(mask: mask(makingRoomFor: new))
    if copy.mask == mask {
      unsafe copy.slots.update(from: slots, count: mask + 1)
      copy.count = count
    } else {
      forEach { _ = copy.insert($0) }
    }
    forEach { _ = $0.retained() }
    return copy
  }

  /// Makes room for more overrides.
  mutating func makeRoom(for new: Int) {
    if 2 * (count + new) <= mask + 1 { return }
    var larger = OverrideTable(mask: mask(makingRoomFor: new))
    forEach { _ = larger.insert($0) }
    // The larger one owns the overrides now.
    count = 0
    swap(&self, &larger)
  }

  /// The mask of a table with room for more overrides.
  private func mask(makingRoomFor new: Int) -> Int {
    var slots = max(mask + 1, 32)
    while slots < 2 * (count + new) { slots *= 2 }
    return slots - 1
  }

  /// Inserts a retained override, for which there is room.
  ///
  /// - Returns: The override that it replaces, which the caller must release.
  mutating func insert(_ override: Unretained<Override>) -> Unretained<Override>? {
    let id = override.id
    let slot = slot(of: id, KeyHash(id))
    let replaced = self[slot]
    self[slot] = override
    if replaced == nil { count &+= 1 }
    return replaced
  }

  /// The slot that has the override of a key, or would have it.
  private func slot(of id: ObjectIdentifier, _ hash: KeyHash) -> Int {
    var slot = hash.slot(mask)
    while let override = self[slot], override.id != id { slot = (slot &+ 1) & mask }
    return slot
  }
}
