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

extension OverrideNode {
  /// Gives the table below the last node of a chain to the caller, who must release it.
  func takeTable() -> OverrideTable { head.table.take()!.takeRetained() }

  /// Links the last node of a chain to the nodes that a table keeps.
  func keep(_ below: consuming OverrideNode?) {
    guard let below else { return }
    oldest!.setNext(below.newest)
    _ = Unowned.retaining(below)
  }

  /// The node below, in the chain or of those that a table keeps.
  var below: Unowned<OverrideNode>? { oldest?.next?.node }
}
