/// Finds an override by its key. It doesn't own the overrides; the owner of the index does.
///
/// Open addressing with linear probing. At most half of the slots are used, and a lookup ends after
/// a few: an override that would end up farther from its own slot makes the index grow.
///
/// Not a dictionary: hashing a key costs as much as a whole read, copying retains every value, and
/// specializing one takes as long to compile as the rest of the storage.
// Unchecked because of the pointer. A copy has its own slots, which only its single owner changes.
@safe
struct OverrideIndex: ~Copyable, @unchecked Sendable {
  private var slots: UnsafeMutablePointer<Unowned<OverrideNode>?>
  private var mask: Int
  private(set) var count = 0

  /// The maximum number of slots that a lookup visits.
  private var longestProbe = 6

  init() {
    self.init(mask: 0)
  }

  private init(mask: Int) {
    self.mask = mask
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: nil, count: mask + 1)
  }

  /// Copies the memory, and nothing else.
  init(copying other: borrowing OverrideIndex) {
    mask = other.mask
    count = other.count
    longestProbe = other.longestProbe
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(from: other.slots, count: mask + 1)
  }

  deinit {
    unsafe slots.deallocate()
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<OverrideNode>? {
    var slot = hash.slot(mask)
    var rest = longestProbe
    while rest > 0, let override = unsafe slots[slot] {
      if override.borrow({ $0.id == id }) { return override }
      slot = (slot &+ 1) & mask
      rest &-= 1
    }
    return nil
  }

  func forEach(_ body: (Unowned<OverrideNode>) -> Void) {
    for slot in 0...mask {
      if let override = unsafe slots[slot] { body(override) }
    }
  }

  /// Inserts an override and returns the one that it replaces.
  @inline(never)
  mutating func insert(_ override: Unowned<OverrideNode>) -> Unowned<OverrideNode>? {
    let id = override.borrow { $0.id }
    if 2 * count > mask { grow() }
    while true {
      var slot = KeyHash(id).slot(mask)
      for _ in 0..<longestProbe {
        guard let present = unsafe slots[slot] else {
          unsafe slots[slot] = override
          count += 1
          return nil
        }
        if present.borrow({ $0.id == id }) {
          unsafe slots[slot] = override
          return present
        }
        slot = (slot + 1) & mask
      }
      // Growing eventually separates any two keys, but must not exhaust memory.
      if mask < 16 * count { grow() } else { longestProbe *= 2 }
    }
  }

  private mutating func grow() {
    // Most indexes take over a chain first, which is eight long; the next one fits as well.
    var larger = OverrideIndex(mask: max(31, 2 * mask + 1))
    larger.longestProbe = longestProbe
    forEach { _ = larger.insert($0) }
    self = larger
  }
}
