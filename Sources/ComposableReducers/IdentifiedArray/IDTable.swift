/// Maps hashes of ids to positions; empty while the array is short enough to search.
///
/// Open addressing with linear probing. At most three quarters of the slots are used. The table
/// keeps 31 bits of each hash, so that moving a slot doesn't hash an id again.
///
/// Invariant: a nonempty table has exactly one slot for each position. No hash or `==` of an id can
/// break it, because only positions and stored hashes decide where a slot goes.
@usableFromInline
struct IDTable: Sendable {
  /// 0 if empty; otherwise the hash, with its highest bit set, above the position plus `bias`.
  @usableFromInline var slots: [UInt64] = []

  /// Added to every position, so that removing the first element changes only this number.
  ///
  /// At least 1, so that an empty slot's position is less than all others.
  @usableFromInline var bias = Self.initialBias

  /// The number of reserved slots.
  private var reserved = 0

  @usableFromInline static var initialBias: UInt64 { 1 << 10 }
  private static var largestBias: UInt64 { 1 << 11 }

  /// The largest count up to which an array is searched linearly, which is faster than hashing.
  @inlinable static var longestSearch: Int { 16 }

  @usableFromInline
  init() {}

  /// Creates a table with room for a number of positions.
  @usableFromInline
  init(roomFor count: Int) {
    slots = [UInt64](repeating: 0, count: Self.slotCount(for: count))
  }

  /// Returns 31 bits of an id's hash, with the highest bit set.
  @inlinable
  static func hash(of id: some Hashable) -> UInt64 {
    // Multiply, because an id's own `hashValue` may differ only in a few bits.
    let mixed = UInt64(truncatingIfNeeded: id.hashValue) &* 0x9E37_79B9_7F4A_7C15
    return mixed &>> 32 | 0x8000_0000
  }

  @inlinable var isEmpty: Bool { slots.isEmpty }

  @inlinable var mask: Int { slots.count &- 1 }

  @inlinable
  func slot(hash: UInt64, position: Int) -> UInt64 {
    hash &<< 32 | (UInt64(truncatingIfNeeded: position) &+ bias)
  }

  @inlinable
  func position(of slot: UInt64) -> Int {
    Int(truncatingIfNeeded: slot & 0xFFFF_FFFF &- bias)
  }

  /// Adds a position whose id isn't in the table.
  @inlinable
  mutating func insert(hash: UInt64, position: Int) {
    let mask = mask
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while slots[bucket] != 0 { bucket = (bucket &+ 1) & mask }
    slots[bucket] = slot(hash: hash, position: position)
  }

  /// Removes a slot, and closes the gap, at which lookups would end.
  @usableFromInline
  mutating func removeSlot(_ bucket: Int) {
    let mask = mask
    var gap = bucket
    var next = (gap &+ 1) & mask
    while slots[next] != 0 {
      let home = Int(truncatingIfNeeded: slots[next] &>> 32) & mask
      // Whether the slot's home isn't behind the gap.
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next &+ 1) & mask
    }
    slots[gap] = 0
  }

  /// Finds the bucket of a position without its id.
  @usableFromInline
  func bucket(of position: Int) -> Int {
    let biased = UInt64(truncatingIfNeeded: position) &+ bias
    guard let bucket = slots.firstIndex(where: { $0 & 0xFFFF_FFFF == biased }) else {
      preconditionFailure("Every position has a slot.")
    }
    return bucket
  }

  private static func slotCount(for count: Int) -> Int {
    var slots = 2 * longestSearch
    while count > slots / 4 * 3 { slots *= 2 }
    return slots
  }
}

/// Moving positions.
extension IDTable {
  /// Whether a number of positions is small enough to look up each by its hash, rather than
  /// visiting all slots.
  @inlinable
  func areFew(_ count: Int) -> Bool { count <= slots.count &>> 5 }

  /// Decreases the positions behind a removed one.
  @usableFromInline
  mutating func lower(behind position: Int) {
    let biased = UInt64(truncatingIfNeeded: position) &+ bias
    // The highest bit of the difference is set if the slot's position is larger. Without branches
    // and bounds checks, the compiler changes several slots at a time.
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      for bucket in slots.indices {
        let slot = unsafe slots[bucket]
        unsafe slots[bucket] = slot &- (biased &- (slot & 0xFFFF_FFFF)) &>> 63
      }
    }
  }

  /// Increases a position and those behind it, to make room for another.
  @usableFromInline
  mutating func raise(from position: Int) {
    let before = UInt64(truncatingIfNeeded: position) &+ bias &- 1
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      for bucket in slots.indices {
        let slot = unsafe slots[bucket]
        unsafe slots[bucket] = slot &+ (before &- (slot & 0xFFFF_FFFF)) &>> 63
      }
    }
  }

  /// Decreases or increases all positions by one, at no cost.
  @inlinable
  mutating func lowerAll() {
    bias &+= 1
    recenter()
  }

  @inlinable
  mutating func raiseAll() {
    bias &-= 1
    recenter()
  }

  @usableFromInline
  mutating func recenter() {
    guard bias == 1 || bias == Self.largestBias else { return }
    for bucket in slots.indices where slots[bucket] != 0 {
      slots[bucket] = slots[bucket] &- bias &+ Self.initialBias
    }
    bias = Self.initialBias
  }

  /// Removes the unmarked positions, starting at one; the others move up.
  @usableFromInline
  mutating func remove(from first: Int, unless stays: Marks) {
    var new = Array(0..<stays.count)
    var end = first
    for position in first..<stays.count {
      new[position] = stays[position] ? end : -1
      if stays[position] { end += 1 }
    }
    renumber(to: new, count: end)
  }

  /// Replaces every position, and removes those whose new position is negative.
  @usableFromInline
  mutating func renumber(to new: [Int], count: Int) {
    let old = self
    bias = Self.initialBias
    slots = [UInt64](repeating: 0, count: Swift.max(Self.slotCount(for: count), reserved))
    for slot in old.slots where slot != 0 {
      let position = new[old.position(of: slot)]
      if position >= 0 { insert(hash: slot &>> 32, position: position) }
    }
  }
}

/// Growing and shrinking.
extension IDTable {
  /// Makes room for a number of positions.
  @inlinable
  mutating func makeRoom(for count: Int) {
    if count &* 4 > slots.count &* 3 { resize(for: count) }
  }

  /// Frees memory after positions were removed, so that visiting all slots stays cheap.
  @inlinable
  mutating func shrink(to count: Int) {
    if count &* 8 < slots.count { shrinkUnlessReserved(to: count) }
  }

  @usableFromInline
  mutating func shrinkUnlessReserved(to count: Int) {
    guard slots.count > reserved else { return }
    if count * 2 <= Self.longestSearch && reserved == 0 {
      self = IDTable()
    } else {
      resize(for: count)
    }
  }

  /// Makes room for a number of positions, permanently.
  @usableFromInline
  mutating func reserve(_ count: Int) {
    reserved = Swift.max(reserved, Self.slotCount(for: count))
    if slots.count < reserved { resize(for: count) }
  }

  @usableFromInline
  mutating func removeAll() {
    for bucket in slots.indices { slots[bucket] = 0 }
  }

  @usableFromInline
  mutating func resize(for count: Int) {
    precondition(count < Int32.max, "An IdentifiedArray holds fewer than 2^31 elements.")
    let old = slots
    slots = [UInt64](repeating: 0, count: Swift.max(Self.slotCount(for: count), reserved))
    let mask = mask
    for slot in old where slot != 0 {
      var bucket = Int(truncatingIfNeeded: slot &>> 32) & mask
      while slots[bucket] != 0 { bucket = (bucket &+ 1) & mask }
      slots[bucket] = slot
    }
  }
}
