/// A set of positions, which allocates nothing for up to 64 positions.
@usableFromInline
struct Marks {
  @usableFromInline let count: Int
  @usableFromInline var word: UInt64 = 0
  @usableFromInline var words: [UInt64]

  /// Creates a set without marks for positions below `count`.
  @inlinable
  init(count: Int) {
    self.count = count
    words = count <= 64 ? [] : [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  @inlinable
  subscript(position: Int) -> Bool {
    (words.isEmpty ? word : words[position &>> 6]) &>> (position & 63) & 1 != 0
  }

  @inlinable
  mutating func mark(_ position: Int) {
    let bit: UInt64 = 1 &<< UInt64(position & 63)
    if words.isEmpty { word |= bit } else { words[position &>> 6] |= bit }
  }
}
