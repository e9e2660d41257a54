/// A table takes over a full chain: it finds and keeps the chain's overrides.
extension OverrideNode {
  /// The table below a new chain that replaces a full one, and whether it has the memory of that
  /// chain, instead of copies.
  static func table(
    takingOver chain: consuming OverrideNode?
  ) -> (table: OverrideTable, isInPlace: Bool) {
    guard chain != nil else { return (.outsideAnyScope, false) }
    if let table = chain!.publishedTable { return (table.object, false) }
    guard let last = lastOfUniqueChain(&chain) else { return (chain!.copiedTable(), false) }
    var table = last.takeTable()
    if !isKnownUniquelyReferenced(&table) { table = OverrideTable(copying: table) }
    chain!.forEachInChainAndShadowed { table.insert($0) }
    last.keep(table.kept.take())
    table.kept = chain
    table.makeCompact()
    return (table, true)
  }

  /// The last node of a chain of distinct keys, if no other reference leads to its nodes.
  private static func lastOfUniqueChain(_ chain: inout OverrideNode?) -> OverrideNode? {
    guard isKnownUniquelyReferenced(&chain), chain!.overridesEachKeyOnce else { return nil }
    var node = Unowned(chain!)
    while let below = node.borrow({ $0.below }) {
      guard below.isOnlyReference else { return nil }
      node = below
    }
    return node.object
  }

  /// Copies the overrides of this chain into a table, shared by all scopes built on the chain.
  private func copiedTable() -> OverrideTable {
    let table = OverrideTable(copying: table)
    var copies = OverrideCopies(Int(Self.longestChain), on: table.kept)
    forEachInChain { table.insert(copies.add($0)) }
    table.kept = copies.kept
    table.makeCompact()
    return publish(table)
  }
}

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

extension OverrideNode? {
  /// Whether this scope was built outside any scope.
  var isLost: Bool { self?.table.isLost ?? true }
}
