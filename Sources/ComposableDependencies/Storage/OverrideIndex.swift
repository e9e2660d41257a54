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
  private var slots: UnsafeMutablePointer<Override?>
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
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Override? {
    var slot = hash.slot(mask)
    var rest = longestProbe
    while rest > 0, let override = unsafe slots[slot] {
      if override.id == id { return override }
      slot = (slot &+ 1) & mask
      rest &-= 1
    }
    return nil
  }

  func forEach(_ body: (Override) -> Void) {
    for slot in 0...mask {
      if let override = unsafe slots[slot] { body(override) }
    }
  }

  /// Inserts an override and returns the one that it replaces.
  @inline(never)
  mutating func insert(_ override: Override) -> Override? {
    let id = override.id
    if 2 * count > mask { grow() }
    while true {
      var slot = KeyHash(id).slot(mask)
      for _ in 0..<longestProbe {
        guard let present = unsafe slots[slot] else {
          unsafe slots[slot] = override
          count += 1
          return nil
        }
        if present.id == id {
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
    forEach { if !larger.insertNew($0) { _ = larger.insert($0) } }
    self = larger
  }

  /// Inserts an override of a key that isn't there, unless the slots near its own are in use.
  @inline(__always)
  private mutating func insertNew(_ override: Override) -> Bool {
    var slot = KeyHash(override.id).slot(mask)
    for _ in 0..<longestProbe {
      if unsafe slots[slot] == nil {
        unsafe slots[slot] = override
        count += 1
        return true
      }
      slot = (slot &+ 1) & mask
    }
    return false
  }
}
