internal import Synchronization

/// The overrides of a scope: up to eight of distinct keys, on top of levels that hold all others.
///
/// A node owns the overrides that were added to it, and the node that it was built on, which owns the
/// others. So building a scope on another retains a single object. The ninth node in a row owns all of
/// its overrides itself, which bounds memory.
///
/// `nil` in place of a node stands for a task outside any scope: no overrides, over the process's
/// global store.
///
/// A buffer whose elements are the overrides, the oldest first. The word of a full node is the level
/// that holds its overrides as well, for all scopes built on it, once there is one.
// Unchecked, because it changes while a single reference leads to it.
@safe
@usableFromInline
package final class ScopeNode: Buffer, @unchecked Sendable {
  private static let room = 8

  struct Header {
    /// What holds all other overrides; owned if there is no node below.
    var levels: Unowned<Level>
    /// The node that this was built on, which it owns.
    var below: Unowned<ScopeNode>?
    /// The bits of the keys.
    var filter: UInt64 = 0
    var count: UInt8 = 0
    /// A bit for each override that this owns.
    var owned: UInt8 = 0
    /// The number of nodes in a row, up to this one.
    var depth: UInt8 = 1
  }

  typealias Element = Unowned<Override>

  /// Returns a scope without overrides.
  static func bare(over root: ScopeRoot) -> ScopeNode {
    make(Header(levels: .retaining(Level(root))), count: room)
  }

  deinit {
    forEachOwned { $0.release() }
    if let below = head.below { below.release() } else { head.levels.release() }
    merged?.release()
  }

  @inline(__always)
  private func forEachOwned(_ body: (Unowned<Override>) -> Void) {
    var rest = head.owned
    while rest != 0 {
      body(self[rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
  }

  /// The overrides of this node, without those of the levels.
  private var overrides: some Sequence<Unowned<Override>> {
    (0..<Int(head.count)).lazy.map { self[$0] }
  }
}

// MARK: - Finding

extension ScopeNode {
  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unowned<Override>? {
    if let index = index(of: id, hash) { return self[index] }
    return head.levels.borrow { $0.find(id, hash) }
  }

  /// Compiled once, for everything but a read of an override.
  @inline(never)
  func find(_ id: ObjectIdentifier) -> Unowned<Override>? { find(id, KeyHash(id)) }

  @inline(__always)
  private func index(of id: ObjectIdentifier, _ hash: KeyHash) -> Int? {
    if head.filter & hash.bit == 0 { return nil }
    var index = Int(head.count)
    while index > 0 {
      index &-= 1
      if self[index].id == id { return index }
    }
    return nil
  }

  /// Calls `body` with each override of this scope, the newest of this node first.
  func forEachOverride(_ body: (Unowned<Override>) -> Void) {
    for index in (0..<Int(head.count)).reversed() { body(self[index]) }
    head.levels.object.forEach { if index(of: $0.id, KeyHash($0.id)) == nil { body($0) } }
  }

  /// The override that was added last to this node.
  var newest: Unowned<Override>? { head.count == 0 ? nil : self[Int(head.count) - 1] }

  /// The root of this scope, which lives as long as this node.
  @inline(__always)
  var unownedRoot: Unowned<ScopeRoot> { head.levels.borrow { Unowned($0.root) } }

  /// The global store below this scope, which lives as long as this node.
  @inline(__always)
  var unownedStore: Unowned<GlobalStore> { head.levels.borrow { $0.store } }

  var root: ScopeRoot { unownedRoot.object }

  var store: GlobalStore { unownedStore.object }
}

extension ScopeNode? {
  /// The root of this scope, which lives as long as this node.
  var unownedRoot: Unowned<ScopeRoot> {
    Unowned.optional(self)?.borrow { $0.unownedRoot } ?? Unowned(.outsideAnyScope)
  }

  var root: ScopeRoot { self?.root ?? .outsideAnyScope }

  var store: GlobalStore { self?.store ?? .process }

  /// Whether this scope was built outside any scope.
  var isLost: Bool { root.isLost }

  /// Every override of this scope.
  var overrides: [Override] {
    var overrides: [Override] = []
    self?.forEachOverride { overrides.append($0.object) }
    return overrides
  }
}

extension ScopeNode {
  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  func overrides(addedTo scope: ScopeNode?) -> [Override] {
    var added: [Override] = []
    func add(_ override: Unowned<Override>) {
      if scope?.find(override.id) != override {
        added.append(override.object)
      }
    }
    // Mostly, one of the two shares all levels with the other.
    if let scope, head.levels == scope.head.levels || head.levels == scope.merged {
      for index in 0..<Int(head.count) { add(self[index]) }
    } else {
      forEachOverride(add)
    }
    return added
  }
}

// MARK: - Adding

extension ScopeNode {
  /// Adds an override; in place if `scope` is the only reference.
  static func add(_ override: consuming Override, to scope: inout ScopeNode?) {
    let id = override.id
    let hash = KeyHash(id)
    let isAlone = isKnownUniquelyReferenced(&scope)
    let override = Unowned.retaining(override)
    guard let node = Unowned.optional(scope) else {
      let new = make(Header(levels: .retaining(.outsideAnyScope)), count: room)
      new.set(override, hash, at: nil)
      scope = new
      return
    }
    let index = node.borrow { $0.index(of: id, hash) }
    let isFull = index == nil && node.borrow { $0.head.count } == room
    // What others have merged must not change.
    if isAlone, node.borrow({ $0.merged }) == nil {
      node.borrow { node in
        if isFull { node.moveToLevels() }
        node.set(override, hash, at: index)
      }
    } else {
      // Otherwise the optimizer may release the scope that is replaced before it is used.
      let new = withExtendedLifetime(scope) { node.borrow { $0.successor(isFull: isFull) } }
      new.set(override, hash, at: index)
      scope = new
    }
  }

  /// Adds a retained override, or replaces one.
  @inline(__always)
  private func set(_ override: Unowned<Override>, _ hash: KeyHash, at present: Int?) {
    let index = present ?? Int(head.count)
    let replaced = head.owned & 1 << index == 0 ? nil : self[index]
    self[index] = override
    head.owned |= 1 << index
    if present == nil {
      head.count &+= 1
      head.filter |= hash.bit
    }
    replaced?.release()
  }

  /// Returns a scope with the same overrides and room for another.
  @inline(__always)
  private func successor(isFull: Bool) -> ScopeNode {
    if isFull {
      let levels = merged ?? merge()
      return Self.make(Header(levels: levels.retained()), count: Self.room)
    }
    let new = Self.make(
      Header(
        levels: head.levels, below: Unowned(self).retained(), filter: head.filter,
        count: head.count, depth: head.depth &+ 1),
      count: Self.room)
    for index in 0..<Int(head.count) { new[index] = self[index] }
    if new.head.depth > Self.room { new.ownAll() }
    return new
  }

  /// Retains the overrides instead of the node below.
  @inline(never)
  private func ownAll() {
    guard let below = head.below.take() else { return }
    for override in overrides { _ = override.retained() }
    forEachOwned { $0.release() }
    _ = head.levels.retained()
    head.owned = UInt8(truncatingIfNeeded: 1 << UInt(head.count) &- 1)
    head.depth = 1
    below.release()
  }

  /// Moves the overrides of this node to the levels below it.
  @inline(never)
  private func moveToLevels() {
    ownAll()
    var levels = head.levels.takeRetained()
    let count = Int(head.count)
    head.count = 0
    head.owned = 0
    head.filter = 0
    Level.add(count, to: &levels) { insert in for index in 0..<count { insert(self[index]) } }
    head.levels = .retaining(levels)
  }

  /// The level that holds the overrides of this full node, once a scope was built on it.
  @inline(__always)
  private var merged: Unowned<Level>? {
    let address = word { $0.load(ordering: .acquiring) }
    return address == 0 ? nil : Unowned(address: address)
  }

  @inline(never)
  private func merge() -> Unowned<Level> {
    let levels = head.levels.object.adding(Int(head.count)) { insert in
      for override in overrides { insert(override.retained()) }
    }
    let new = Unowned.retaining(levels)
    let (isFirst, first) = word {
      $0.compareExchange(
        expected: 0, desired: new.address, ordering: .acquiringAndReleasing)
    }
    if isFirst { return new }
    new.release()
    return Unowned(address: first)
  }
}
