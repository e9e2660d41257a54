internal import Synchronization

/// What a scope is made of: one override, on top of those set before it, over a table.
///
/// A chain of nodes is at most ``longestChain`` long; the override after that starts a new chain,
/// over a table into which the old one was folded. So reads and overrides cost the same however
/// many there are, memory is bounded by the number of distinct keys, and freeing a scope recurses
/// no deeper than a chain is long.
///
/// `nil` in the place of a node is the bottom of a task that is in no scope: no overrides, over the
/// process's global store. A node of this class itself overrides nothing; it stands for its table.
@safe
@usableFromInline
class OverrideNode: @unchecked Sendable {  // Immutable. Unchecked because it has subclasses.
  /// The key's identity; in a node that overrides nothing, one that no key has.
  final let id: ObjectIdentifier
  final let next: OverrideNode?
  /// Owned by the last node of the chain, so that the others need not retain it.
  private final let unownedTable: Unmanaged<OverrideTable>
  /// Of the keys that this chain overrides, and perhaps of others.
  private final let filter: UInt64
  private final let depth: Int
  /// Not an `AtomicLazyReference`, whose unspecialized load costs as much as an override.
  private final let folded = unsafe Atomic<Unmanaged<OverrideTable>?>(nil)

  private static let longestChain = 8

  init(table: OverrideTable) {
    self.id = ObjectIdentifier(OverrideNode.self)
    self.next = nil
    unsafe self.unownedTable = .passRetained(table)
    self.filter = 0
    self.depth = 1
  }

  @usableFromInline
  init(id: ObjectIdentifier, on below: OverrideNode?) {
    self.id = id
    let bit = KeyHash(id).bit
    if let below, below.depth < Self.longestChain {
      unsafe self.unownedTable = below.unownedTable
      self.filter = below.filter | bit
      self.depth = below.depth + 1
      self.next = below
    } else {
      unsafe self.unownedTable = .passRetained(below?.foldedTable ?? .lost)
      self.filter = bit
      self.depth = 1
      self.next = nil
    }
  }

  deinit {
    if next == nil { unsafe unownedTable.release() }
    unsafe folded.load(ordering: .acquiring)?.release()
  }

  final var table: OverrideTable {
    unsafe unownedTable._withUnsafeGuaranteedRef { $0 }
  }

  /// The key of this override; nothing in a node that overrides nothing.
  var key: (any DependencyKey.Type)? { nil }

  /// The same override, on top of `below`.
  func copy(on below: OverrideNode?) -> OverrideNode { self }

  /// The same value, set for a key that is one with this, and standing alone.
  func copy(for key: any DependencyKey.Type) -> OverrideNode { self }

  /// Folded once, however many scopes are built on this node.
  private var foldedTable: OverrideTable {
    if let table = unsafe folded.load(ordering: .acquiring) {
      return unsafe table.takeUnretainedValue()
    }
    let new = unsafe Unmanaged.passRetained(OverrideTable(table, below: overrides))
    let (isFirst, kept) = unsafe folded.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if isFirst { return unsafe new.takeUnretainedValue() }
    unsafe new.release()
    return unsafe kept!.takeUnretainedValue()
  }

  /// Every override in force here, each standing alone.
  final var overrides: [OverrideNode] {
    var overrides: [OverrideNode] = []
    var node: OverrideNode? = self
    while let current = node {
      if current.key != nil, !overrides.contains(current.id) {
        overrides.append(current.copy(on: nil))
      }
      node = current.next
    }
    return overrides.over(table.map.overrides)
  }

  /// The override of a key in this chain and the table below it.
  ///
  /// Unmanaged: the chain keeps it alive, and a read should not pay for a retain.
  @inline(__always)
  final func findOverride(_ id: ObjectIdentifier) -> Unmanaged<OverrideNode>? {
    let hash = KeyHash(id)
    if filter & hash.bit != 0, let found = unsafe findInChain(id) { return unsafe found }
    return unsafe unownedTable._withUnsafeGuaranteedRef { unsafe $0.map.find(id, hash) }
  }

  @inline(__always)
  private final func findInChain(_ id: ObjectIdentifier) -> Unmanaged<OverrideNode>? {
    var cursor = unsafe Unmanaged.passUnretained(self)
    while true {
      let (isFound, next) = unsafe cursor._withUnsafeGuaranteedRef {
        ($0.id == id, unsafe $0.next.map { unsafe Unmanaged.passUnretained($0) })
      }
      if isFound { return unsafe cursor }
      guard let next = unsafe next else { return nil }
      unsafe cursor = unsafe next
    }
  }
}

extension [OverrideNode] {
  /// These overrides, and those of `others` that they do not replace.
  fileprivate func over(_ others: [OverrideNode]) -> [OverrideNode] {
    var all = self
    for other in others where !contains(other.id) { all.append(other) }
    return all
  }

  fileprivate func contains(_ id: ObjectIdentifier) -> Bool {
    contains { $0.id == id }
  }
}

extension OverrideNode? {
  /// Whether this was built where no scope was.
  var isLost: Bool { self?.table.isLost ?? true }
}
