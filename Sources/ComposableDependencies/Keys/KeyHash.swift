/// Spreads the addresses that identify keys.
///
/// The plain form is a `Hasher`: a read takes twice as long.
struct KeyHash {
  private let product: UInt64

  init(_ id: ObjectIdentifier) {
    self.init(UInt(bitPattern: id))
  }

  init(_ address: UInt) {
    // 2⁶⁴ divided by the golden ratio, made odd, so that evenly spaced addresses end up far apart.
    product = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
  }

  /// A byte that isn't 0.
  var tag: UInt64 { product >> 57 | 0x80 }

  /// The highest bit of each byte of `tags` that is this tag.
  func matches(in tags: UInt64) -> UInt64 {
    let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    // A byte is 0 where the tags are equal.
    let difference = tags ^ (tag &* 0x0101_0101_0101_0101)
    return ~(((difference & lowBits) &+ lowBits) | difference | lowBits)
  }

  /// A slot within `mask`, computed from other bits than ``tag``.
  func slot(_ mask: Int) -> Int { Int(truncatingIfNeeded: product >> 26) & mask }
}
