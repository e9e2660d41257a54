/// What is below a chain: the overrides that were folded into it, and the global store.
final class OverrideTable: Sendable {
  let store: GlobalStore
  /// Whether this was built where no scope was.
  let isLost: Bool
  let map: OverrideMap

  /// What those stand on who override where no scope is.
  static let lost = OverrideTable(store: .process, isLost: true, OverrideMap())

  convenience init(store: GlobalStore) {
    self.init(store: store, isLost: false, OverrideMap())
  }

  /// The same store below other overrides.
  convenience init(_ table: OverrideTable, below overrides: [OverrideNode]) {
    self.init(store: table.store, isLost: table.isLost, OverrideMap(overrides))
  }

  private init(store: GlobalStore, isLost: Bool, _ map: consuming OverrideMap) {
    self.store = store
    self.isLost = isLost
    self.map = map
  }
}
