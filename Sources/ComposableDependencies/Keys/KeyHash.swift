/// Spreads the addresses that identify keys.
struct KeyHash {
  private let product: UInt64

  @inline(__always)
  init(_ id: ObjectIdentifier) {
    self.init(UInt(bitPattern: id))
  }

  @inline(__always)
  init(_ address: UInt) {
    // 2⁶⁴ divided by the golden ratio, made odd, so that evenly spaced addresses end up far apart.
    product = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
  }

  /// One of 64 bits.
  @inline(__always)
  var bit: UInt64 { 1 << (product >> 58) }

  /// A slot within `mask`, computed from other bits than ``bit``.
  @inline(__always)
  func slot(_ mask: Int) -> Int { Int(truncatingIfNeeded: product >> 26) & mask }
}
