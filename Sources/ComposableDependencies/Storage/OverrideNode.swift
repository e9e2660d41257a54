internal import Synchronization

/// What a scope is made of: one override, on top of those set before it, over a table.
///
/// A chain of nodes is at most ``longestChain`` long; the override after that starts a new chain,
/// over a table into which the old one was folded. So reads and overrides cost the same however
/// many there are, memory is bounded by the number of distinct keys, and freeing a scope recurses
/// no deeper than a chain is long.
///
/// `nil` in the place of a node is the bottom: no overrides, over the process's global store. A
/// node of this class itself overrides nothing; it stands for its table.
@usableFromInline
class OverrideNode: @unchecked Sendable {  // Immutable. Unchecked because it has subclasses.
  /// The key's identity; in a node that overrides nothing, one that no key has.
  final let id: ObjectIdentifier
  final let next: OverrideNode?
  final let table: OverrideTable?
  private final let depth: Int
  private final let folded = AtomicLazyReference<OverrideTable>()

  private static let longestChain = 8

  init(table: OverrideTable) {
    self.id = ObjectIdentifier(OverrideNode.self)
    self.next = nil
    self.table = table
    self.depth = 1
  }

  init(id: ObjectIdentifier = ObjectIdentifier(OverrideNode.self), on below: OverrideNode?) {
    self.id = id
    if let below, below.depth >= Self.longestChain {
      self.next = nil
      self.table = below.foldedTable
      self.depth = 1
    } else {
      self.next = below
      self.table = below?.table
      self.depth = (below?.depth ?? 0) + 1
    }
  }

  /// The key of this override; nothing in a node that overrides nothing.
  var key: (any DependencyKey.Type)? { nil }

  /// The same override, on top of `below`.
  func copy(on below: OverrideNode?) -> OverrideNode { self }

  /// The same value, set for a key that is one with this, and standing alone.
  func copy(for key: any DependencyKey.Type) -> OverrideNode { self }

  /// Folded once, however many scopes are built on this node.
  private var foldedTable: OverrideTable {
    folded.load()
      ?? folded.storeIfNil(OverrideTable(store: table?.store, overrides: overrides))
  }

  /// Every override in force here, each standing alone.
  final var overrides: [ObjectIdentifier: OverrideNode] {
    var overrides = table?.overrides ?? [:]
    var seen: Set<ObjectIdentifier> = []
    var node: OverrideNode? = self
    while let current = node {
      if current.key != nil, seen.insert(current.id).inserted {
        overrides[current.id] = current.copy(on: nil)
      }
      node = current.next
    }
    return overrides
  }

  /// The override of a key in a chain and the table below it.
  ///
  /// Unmanaged: the chain keeps it alive, and a read should not pay for a retain.
  static func find(_ id: ObjectIdentifier, from node: OverrideNode) -> Unmanaged<OverrideNode>? {
    var cursor = unsafe Unmanaged.passUnretained(node)
    while true {
      let (isFound, next) = unsafe cursor._withUnsafeGuaranteedRef {
        ($0.id == id, unsafe $0.next.map { unsafe Unmanaged.passUnretained($0) })
      }
      if isFound { return unsafe cursor }
      guard let next = unsafe next else {
        return unsafe cursor._withUnsafeGuaranteedRef { unsafe $0.table?.find(id) }
      }
      unsafe cursor = unsafe next
    }
  }
}

/// The overrides below a chain, by key, and the global store below them.
final class OverrideTable: Sendable {
  /// `nil` is the process's.
  let store: GlobalStore?
  let overrides: [ObjectIdentifier: OverrideNode]

  init(store: GlobalStore?, overrides: [ObjectIdentifier: OverrideNode] = [:]) {
    self.store = store
    self.overrides = overrides
  }

  func find(_ id: ObjectIdentifier) -> Unmanaged<OverrideNode>? {
    unsafe overrides[id].map { unsafe Unmanaged.passUnretained($0) }
  }
}
