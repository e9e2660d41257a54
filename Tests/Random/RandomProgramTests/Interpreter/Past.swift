/// The events that happened before a moment.
///
/// Every other event is concurrent with it, or after it.
struct Past {
  private var words: [UInt64] = []

  func contains(_ event: Int) -> Bool {
    event / 64 < words.count && words[event / 64] >> UInt64(event % 64) & 1 == 1
  }

  mutating func insert(_ event: Int) {
    while words.count <= event / 64 { words.append(0) }
    words[event / 64] |= 1 << UInt64(event % 64)
  }

  mutating func formUnion(_ other: Past) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }
}
