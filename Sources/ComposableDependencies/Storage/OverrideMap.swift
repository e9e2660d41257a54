/// Overrides by key, each standing alone.
///
/// Not a dictionary, whose hash alone costs as much as a read, and whose specialization costs as
/// much to compile as the rest of the storage.
// Unchecked because of the pointer; only this value has it, and whoever changes this has it alone.
@safe
struct OverrideMap: ~Copyable, @unchecked Sendable {
  /// A place for each key at or after the one that its hash names, and more than enough of them.
  private var slots: UnsafeMutableBufferPointer<Unmanaged<OverrideNode>?>
  private var mask: Int
  private var count = 0

  init() {
    self.init(capacity: 1)
  }

  init(_ overrides: [OverrideNode]) {
    var capacity = 1
    while capacity < 2 * overrides.count { capacity *= 2 }
    self.init(capacity: capacity)
    for override in overrides { _ = insert(override) }
  }

  /// - Parameter capacity: A power of two.
  private init(capacity: Int) {
    mask = capacity - 1
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: nil)
  }

  deinit {
    for slot in 0...mask { unsafe slots[slot]?.release() }
    unsafe slots.deallocate()
  }

  /// Puts an override in; returns the one that was there for its key.
  mutating func insert(_ override: OverrideNode) -> OverrideNode? {
    if 2 * (count + 1) > mask + 1 {
      var larger = OverrideMap(capacity: 2 * (mask + 1))
      for override in overrides { _ = larger.insert(override) }
      self = larger
    }
    var slot = KeyHash(override.id).slot(mask)
    while let present = unsafe slots[slot] {
      if unsafe present._withUnsafeGuaranteedRef({ $0.id == override.id }) {
        unsafe slots[slot] = .passRetained(override)
        return unsafe present.takeRetainedValue()
      }
      slot = (slot + 1) & mask
    }
    unsafe slots[slot] = .passRetained(override)
    count += 1
    return nil
  }

  var isEmpty: Bool { count == 0 }

  var overrides: [OverrideNode] {
    var overrides: [OverrideNode] = []
    for slot in 0...mask {
      if let override = unsafe slots[slot]?.takeUnretainedValue() { overrides.append(override) }
    }
    return overrides
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unmanaged<OverrideNode>? {
    var slot = hash.slot(mask)
    while true {
      // Within bounds, because of the mask; and there is always an empty slot.
      guard let override = unsafe slots.baseAddress.unsafelyUnwrapped[slot] else { return nil }
      if unsafe override._withUnsafeGuaranteedRef({ $0.id == id }) { return unsafe override }
      slot = (slot + 1) & mask
    }
  }
}

/// Spreads the addresses that identify keys, which lie at even distances.
struct KeyHash {
  private let product: UInt64

  @inline(__always)
  init(_ id: ObjectIdentifier) {
    // 2⁶⁴ by the golden ratio, made odd.
    product = UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// One of 64 bits.
  var bit: UInt64 { 1 << (product >> 58) }

  /// A number within `mask`, which has other bits than ``bit``.
  @inline(__always)
  func slot(_ mask: Int) -> Int { Int(truncatingIfNeeded: product >> 26) & mask }
}
