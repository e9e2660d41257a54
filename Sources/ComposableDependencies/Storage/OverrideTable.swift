/// The overrides below a chain, by key, and the global store below them.
@safe
final class OverrideTable: @unchecked Sendable {  // Immutable. Unchecked because of the pointer.
  let store: GlobalStore
  /// Whether this was built where no scope was.
  let isLost: Bool
  private let count: Int
  /// A place for each key at or after the one that its hash names, and more than enough of them.
  ///
  /// Not a dictionary, whose hash alone costs as much as a read.
  private let slots: UnsafeMutableBufferPointer<Unmanaged<OverrideNode>?>
  private let mask: Int

  /// What those stand on who override where no scope is.
  static let lost = OverrideTable(store: .process, isLost: true)

  convenience init(store: GlobalStore) {
    self.init(store: store, isLost: false)
  }

  /// The same store below other overrides.
  convenience init(_ table: OverrideTable, below overrides: [ObjectIdentifier: OverrideNode]) {
    self.init(store: table.store, isLost: table.isLost, overrides: overrides)
  }

  private init(
    store: GlobalStore, isLost: Bool, overrides: [ObjectIdentifier: OverrideNode] = [:]
  ) {
    self.store = store
    self.isLost = isLost
    count = overrides.count
    var capacity = 1
    while capacity < 2 * overrides.count { capacity *= 2 }
    mask = capacity - 1
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: nil)
    for (id, override) in overrides {
      var slot = KeyHash(id).slot(mask)
      while unsafe slots[slot] != nil { slot = (slot + 1) & mask }
      unsafe slots[slot] = .passRetained(override)
    }
  }

  deinit {
    for slot in 0...mask { unsafe slots[slot]?.release() }
    unsafe slots.deallocate()
  }

  var overrides: [ObjectIdentifier: OverrideNode] {
    var overrides: [ObjectIdentifier: OverrideNode] = [:]
    overrides.reserveCapacity(count)
    for slot in 0...mask {
      guard let override = unsafe slots[slot]?.takeUnretainedValue() else { continue }
      overrides[override.id] = override
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
