/// Copies overrides side by side, for a table to keep.
struct OverrideCopies {
  private(set) var kept: OverrideNode?
  private var isFirst = true
  private var count: Int

  /// - Parameters:
  ///   - count: How many there will be, at most.
  ///   - kept: What the table keeps already.
  init(_ count: Int, on kept: OverrideNode?) {
    self.count = count
    self.kept = kept
  }

  /// Adds a copy with the same identity.
  mutating func add(_ override: Override) -> Override {
    defer { count -= 1 }
    if !isFirst, !override.isWatched, kept!.observer == nil,
      let copy = kept!.place(copyOf: override, on: nil)
    {
      return copy
    }
    isFirst = false
    let node = OverrideNode.forCopies(count, first: override)
    let copy = node.place(copyOf: override, on: kept)!
    kept = node
    return copy
  }
}

extension OverrideNode {
  /// Returns a node for copies of overrides, of which `count` are to come.
  static func forCopies(_ count: Int, first: Override) -> OverrideNode {
    let room = first.isWatched ? 1 : UInt8(clamping: min(count, Int(longestChain)))
    return make(
      words: words(for: first.exactKey.valueLayout, room: room),
      OverrideNodeHeader(observer: .retaining(first.observer)))
  }
}
