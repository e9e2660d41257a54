internal import Synchronization

/// The building block of a scope: one override, on top of those set before it, over a table.
///
/// A chain of nodes is at most ``longestChain`` long. The next override starts a new chain, over a
/// table that has taken over the old chain. So a read walks few nodes, regardless of the number of
/// overrides.
///
/// `nil` in place of a node stands for a task outside any scope: no overrides, over the process's
/// global store. An instance of this class itself, not of a subclass, overrides nothing and only
/// holds its table.
// Unchecked, because of its subclasses, and because a table changes the nodes that it takes over. It
// does so only while a single reference leads to them; everything else is immutable.
@safe
@usableFromInline
class OverrideNode: @unchecked Sendable {
  /// The key; in a node that overrides nothing, one that no dependency has.
  final let exactKey: any DependencyKey.Type
  /// Notified of each read; `nil` in most overrides.
  final let observer: ReadObserver?
  /// The node below in the chain; in a table, the next of the nodes that it keeps.
  ///
  /// This node owns it. Counted by hand, because the compiler would count each step along a chain.
  private final var next: Unowned<OverrideNode>?
  /// Owned by the last node of the chain, so that the others need not retain it.
  ///
  /// A node that a table keeps has none.
  private final var chainTable: Unowned<OverrideTable>?
  /// The bits of the keys that this chain overrides.
  private final let filter: UInt64
  /// The distance from the table; 0 in a node that overrides nothing and in one that a table keeps.
  private final let depth: UInt16
  /// Whether this overrides a key.
  private final let isOverride: Bool
  /// The alias epoch of the store before the first override of this scope.
  ///
  /// Its highest bit says that the places of overrides are recorded.
  @usableFromInline final let aliasEpoch: UInt32
  /// The table that has taken over this chain, for the scopes built on it.
  ///
  /// Not an `AtomicLazyReference`, whose unspecialized load costs as much as an override.
  private let takenOver = unsafe Atomic<Unmanaged<OverrideTable>?>(nil)
  /// Identifies this override and its copies; see `OverrideIdentity`.
  final let identityWord = Atomic<UInt>(0)

  private static let longestChain: UInt16 = 8

  /// A node that overrides nothing, over a table.
  init(table: OverrideTable) {
    exactKey = NoKey.self
    observer = nil
    isOverride = false
    chainTable = .retaining(table)
    filter = 0
    depth = 0
    aliasEpoch = table.owner.store.aliasEpoch
  }

  /// - Parameter aliasEpoch: The store's epoch, used if there is no node below.
  @usableFromInline
  init(
    for key: any DependencyKey.Type, on below: consuming OverrideNode?, aliasEpoch: UInt32,
    observer: ReadObserver? = nil, isOverride: Bool = true
  ) {
    exactKey = key
    self.observer = observer
    self.isOverride = isOverride
    self.aliasEpoch = below?.aliasEpoch ?? aliasEpoch
    let bit = KeyHash(ObjectIdentifier(key)).bit
    let depthBelow = below?.depth ?? Self.longestChain
    if depthBelow == 0 {
      // Nothing to walk or to take over.
      chainTable = withExtendedLifetime(below) { .retaining($0!.table) }
      filter = bit
      depth = 1
    } else if depthBelow < Self.longestChain {
      chainTable = below!.chainTable
      filter = below!.filter | bit
      depth = depthBelow + 1
      next = .retaining(below!)
    } else {
      chainTable = .retaining(Self.table(takingOver: below))
      filter = bit
      depth = 1
    }
  }

  /// A node that a table keeps.
  init(
    for key: any DependencyKey.Type, keptWith next: OverrideNode?, observer: ReadObserver? = nil
  ) {
    exactKey = key
    self.observer = observer
    isOverride = true
    self.next = next.map { .retaining($0) }
    chainTable = nil
    filter = 0
    depth = 0
    aliasEpoch = 0
  }

  deinit {
    if depth <= 1 { chainTable?.release() }
    unsafe takenOver.load(ordering: .acquiring)?.release()
    releaseIdentity()
    if let next = next.take() { Self.release(chain: next) }
  }

  /// Releases a node, and those below it that nothing else refers to.
  ///
  /// Without recursion, because a table keeps as many nodes as it has overrides.
  private static func release(chain: Unowned<OverrideNode>) {
    var node = chain.takeRetained()
    while isKnownUniquelyReferenced(&node) {
      guard let next = Unowned(node).borrow({ $0.next.take() }) else { return }
      node = next.takeRetained()
    }
  }

  private enum NoKey: DependencyKey {
    static var defaultValue: Void { () }
  }

  /// The table below this chain, which lives as long as this node.
  @inline(__always)
  // Sound: every node of a chain has a table, and only those are asked.
  final var unownedTable: Unowned<OverrideTable> { unsafe chainTable.unsafelyUnwrapped }

  /// The table below this chain.
  final var table: OverrideTable {
    withExtendedLifetime(self) { chainTable!.object }
  }

  /// Whether this is a scope that a table stands for, with no override on top.
  final var isBare: Bool { depth == 0 }

  /// The identity of the key.
  @inline(__always)
  final var id: ObjectIdentifier { ObjectIdentifier(exactKey) }

  /// The key of this override; `nil` in a node that overrides nothing.
  final var key: (any DependencyKey.Type)? { isOverride ? exactKey : nil }

  /// The value of this override; `nil` in a node that overrides nothing.
  var anyValue: (any Sendable)? { nil }

  /// Returns the same override on top of `below`.
  func copy(on below: OverrideNode?, aliasEpoch: UInt32) -> OverrideNode { self }

  /// Returns the same value for a key with the same type of value, for a table to keep.
  func copy(
    for key: any DependencyKey.Type, keptWith next: OverrideNode?, observer: ReadObserver?
  ) -> OverrideNode { self }

  /// Returns the same override, for a table to keep.
  final func copy(keptWith next: OverrideNode?) -> OverrideNode {
    copy(for: exactKey, keptWith: next, observer: observer)
  }

  /// Returns the same value for another key with the same type of value, as a node of its own.
  final func copy(for key: any DependencyKey.Type) -> OverrideNode {
    copy(for: key, keptWith: nil, observer: observer)
  }
}

// MARK: - Reading

extension OverrideNode {
  /// The override of a key in this chain and the table below it.
  @inline(__always)
  final func findOverride(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<OverrideNode>? {
    if filter & hash.bit != 0, let found = findInChain(id) { return found }
    return unownedTable.borrow { $0.find(id, hash) }
  }

  @inline(__always)
  private final func findInChain(_ id: ObjectIdentifier) -> Unowned<OverrideNode>? {
    var cursor = Unowned(self)
    while true {
      let (isFound, next) = cursor.borrow { ($0.id == id, $0.next) }
      if isFound { return cursor }
      guard let next else { return nil }
      cursor = next
    }
  }

  /// Every override of this scope, each as a node of its own.
  final var overrides: [OverrideNode] {
    var overrides: [OverrideNode] = []
    forEachOverride { overrides.append($0.copy(keptWith: nil)) }
    return overrides
  }

  final func forEachOverride(_ body: (OverrideNode) -> Void) {
    forEachInChain(body)
    table.forEach { override in
      if findInChain(override.id) == nil { body(override) }
    }
  }

  /// Calls `body` with the overrides of this chain, the newest first.
  private final func forEachInChain(_ body: (OverrideNode) -> Void) {
    var node = Unowned(self)
    while true {
      node.borrow { if $0.isOverride, findInChain($0.id) == node { body($0) } }
      guard let next = node.borrow({ $0.next }) else { return }
      node = next
    }
  }
}

// MARK: - Taking over a chain

extension OverrideNode {
  /// The table below a new chain that replaces a full one.
  private static func table(takingOver chain: consuming OverrideNode?) -> OverrideTable {
    guard chain != nil else { return .outsideAnyScope }
    if let table = unsafe chain!.takenOver.load(ordering: .acquiring) {
      return unsafe table.takeUnretainedValue()
    }
    if let last = lastOfUniqueChain(&chain) {
      var table = last.chainTable.take()!.takeRetained()
      if !isKnownUniquelyReferenced(&table) { table = OverrideTable(copying: table) }
      chain!.forEachOfUniqueChain { table.insert($0) }
      last.next = table.kept.take().map { .retaining($0) }
      table.kept = chain
      table.makeCompact()
      return table
    }
    return chain!.publishedTable()
  }

  /// The last node of a chain of distinct keys, if no other reference leads to its nodes.
  private static func lastOfUniqueChain(_ chain: inout OverrideNode?) -> OverrideNode? {
    guard isKnownUniquelyReferenced(&chain), !chain!.overridesAnyKeyTwice else { return nil }
    var node = Unowned(chain!)
    while true {
      let (isLast, isNextUnique) = node.borrow { node in
        node.next.map { (false, $0.isOnlyReference) } ?? (true, true)
      }
      if isLast { return node.object }
      guard isNextUnique else { return nil }
      node = node.borrow { $0.next! }
    }
  }

  private final var overridesAnyKeyTwice: Bool {
    if filter.nonzeroBitCount == Int(depth) { return false }
    var node = Unowned(self)
    while let next = node.borrow({ $0.next }) {
      let id = node.borrow { $0.id }
      if next.borrow({ $0.findInChain(id) }) != nil { return true }
      node = next
    }
    return false
  }

  /// Copies the nodes of this chain into a table, shared by all scopes built on the chain.
  private final func publishedTable() -> OverrideTable {
    let table = OverrideTable(copying: table)
    forEachInChain { override in
      let copy = override.copy(keptWith: table.kept).sharingIdentity(of: override)
      table.kept = copy
      table.insert(Unowned(copy))
    }
    table.makeCompact()
    let new = unsafe Unmanaged.passRetained(table)
    let (isFirst, published) = unsafe takenOver.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if isFirst { return table }
    unsafe new.release()
    return unsafe published!.takeUnretainedValue()
  }

  /// Calls `body` with every override of a chain that no other reference leads to.
  final func forEachOfUniqueChain(_ body: (Unowned<OverrideNode>) -> Void) {
    // Unowned, because retaining each node costs as much as inserting it.
    var node = Unowned(self)
    while true {
      let (isOverride, next) = node.borrow { ($0.isOverride, $0.next) }
      if isOverride { body(node) }
      guard let next else { return }
      node = next
    }
  }
}

extension OverrideNode? {
  /// Whether this scope was built outside any scope.
  var isLost: Bool { self?.table.isLost ?? true }
}
