/// The overrides of a scope besides the newest, which its node has; and the root of the scope.
// Unchecked, because it changes while a single reference leads to it.
@safe
final class OlderOverrides: @unchecked Sendable {
  private let ownedRoot: ScopeRoot
  let root: Unretained<ScopeRoot>
  /// The root's store.
  let store: Unretained<GlobalStore>
  // Safe for the same reason. The dynamic check takes as long as the rest of a read.
  @safe @exclusivity(unchecked) private var table: OverrideTable

  init(_ root: ScopeRoot, table: consuming OverrideTable = OverrideTable()) {
    ownedRoot = root
    self.root = Unretained(root)
    store = Unretained(root.store)
    self.table = table
  }

  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    table.find(id, hash)
  }

  func forEach(_ body: (Unretained<Override>) -> Void) { table.forEach(body) }

  /// Makes room for more overrides, in a copy unless `all` is the only reference.
  static func makeRoom(in all: inout OlderOverrides, for new: Int) {
    if isKnownUniquelyReferenced(&all) {
      all.table.makeRoom(for: new)
    } else {
      all = OlderOverrides(all.ownedRoot, table: all.table.copy(makingRoomFor: new))
    }
  }

  /// Adds a retained override, for which there is room, or replaces that of its key.
  func insert(_ override: Unretained<Override>) { table.insert(override)?.release() }
}
