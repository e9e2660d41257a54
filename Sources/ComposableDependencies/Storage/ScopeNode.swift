internal import Synchronization

// Each `unsafe` here reaches into the memory behind a node, which `make` has laid out: a head, and eight
// places, of which the first `count` are overrides. The node is alive, because its callers have it, and
// what its memory refers to is owned by it or by the nodes below. It changes only while a single
// reference leads to it.

/// The overrides of a scope: up to eight of distinct keys, on top of tables that hold all older ones.
///
/// A node owns the overrides that were added to it, and the node that it was built on, which owns the
/// others. So building a scope on another retains a single object. The ninth node in a row owns all of
/// its overrides itself, which bounds memory.
///
/// `nil` in place of a node stands for a task outside any scope: no overrides, over the process's
/// global store.
///
/// Its memory is a head, and then eight places for overrides, in the order in which their keys were
/// added.
// Unchecked, because the class has memory in place of stored properties.
@safe
@usableFromInline
package final class ScopeNode: @unchecked Sendable {
  fileprivate static let room = 8

  fileprivate struct Head: ~Copyable {
    /// What holds all other overrides; owned if there is no node below.
    var older: Unretained<OlderOverrides>
    /// The node that this was built on, which it owns.
    var below: Unretained<ScopeNode>?
    /// A byte for each override, which depends on its key; 0 where there is none.
    var tags: UInt64 = 0
    var count: UInt8 = 0
    /// The place of the override that was set last.
    var newest: UInt8 = 0
    /// A bit for each override that this owns.
    var owned: UInt8 = 0
    /// The number of nodes in a row, up to this one.
    var depth: UInt8 = 1
    /// The address of what also holds the overrides of this full node; 0 if there is nothing yet.
    ///
    /// All scopes that are built on the node share it, and the node owns it.
    let merged = Atomic<UInt>(0)

    @_transparent
    static var layout: TailLayout {
      TailLayout(
        headSize: MemoryLayout<Head>.size, headAlignment: MemoryLayout<Head>.alignment,
        elementAlignment: MemoryLayout<Unretained<Override>>.alignment,
        wordSize: MemoryLayout<UInt>.size)
    }
  }

  /// Returns a retained node.
  @inline(__always)
  fileprivate static func make(_ head: consuming Head) -> Unretained<ScopeNode> {
    let node = Head.layout.make(
      ScopeNode.self, bytes: room &* MemoryLayout<Unretained<Override>>.stride)
    unsafe node.head.initialize(to: head)
    return node
  }

  /// Returns a scope without overrides.
  static func bare(over root: ScopeRoot) -> ScopeNode {
    make(Head(older: .retaining(OlderOverrides(root)))).takeRetained()
  }

  deinit {
    Unretained(self).releaseContents()
  }
}

extension Unretained<ScopeNode> {
  @_transparent
  fileprivate var head: UnsafeMutablePointer<ScopeNode.Head> {
    unsafe (reference.toOpaque() + ScopeNode.Head.layout.head)
      .assumingMemoryBound(to: ScopeNode.Head.self)
  }

  /// The first `count` are overrides.
  @_transparent
  fileprivate var elements: UnsafeMutablePointer<Unretained<Override>> {
    unsafe (reference.toOpaque() + ScopeNode.Head.layout.elements)
      .assumingMemoryBound(to: Unretained<Override>.self)
  }

  /// The override that was set last in this node.
  var newest: Unretained<Override>? {
    unsafe head.pointee.count == 0 ? nil : elements[Int(head.pointee.newest)]
  }

  @_transparent
  private var older: Unretained<OlderOverrides> { unsafe head.pointee.older }

  /// The root of this scope, which lives as long as this node.
  @_transparent
  var root: Unretained<ScopeRoot> { older.borrow { Unretained<ScopeRoot>($0.root) } }

  /// The global store below this scope, which lives as long as this node.
  @_transparent
  var store: Unretained<GlobalStore> { older.borrow { $0.store } }

  fileprivate func releaseContents() {
    forEachOwned { $0.release() }
    if let below = unsafe head.pointee.below { below.release() } else { older.release() }
    merged?.release()
  }

  @_transparent
  private func forEachOwned(_ body: (Unretained<Override>) -> Void) {
    var rest = unsafe head.pointee.owned
    while rest != 0 {
      unsafe body(elements[rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
  }

  /// Calls `body` with each override of this node, without the older ones.
  @_transparent
  private func forEachNewest(_ body: (Unretained<Override>) -> Void) {
    let count = unsafe Int(head.pointee.count)
    var index = 0
    while index < count {
      unsafe body(elements[index])
      index &+= 1
    }
  }
}

// MARK: - Finding

extension Unretained<ScopeNode> {
  @_transparent
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    if let index = index(of: id, hash) { return unsafe elements[index] }
    return older.borrow { $0.find(id, hash) }
  }

  /// Compiled once, for everything but a read of an override.
  @inline(never)
  func find(_ id: ObjectIdentifier) -> Unretained<Override>? { find(id, KeyHash(id)) }

  @_transparent
  fileprivate func index(of id: ObjectIdentifier, _ hash: KeyHash) -> Int? {
    var matches = unsafe hash.matches(in: head.pointee.tags)
    while matches != 0 {
      let index = matches.trailingZeroBitCount / 8
      if unsafe elements[index].id == id { return index }
      matches &= matches &- 1
    }
    return nil
  }

  /// Calls `body` with each override of this scope, those of this node first.
  private func forEachOverride(_ body: (Unretained<Override>) -> Void) {
    forEachNewest(body)
    older.object.forEach { if index(of: $0.id, KeyHash($0.id)) == nil { body($0) } }
  }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  fileprivate func overrides(addedTo scope: Unretained<ScopeNode>?) -> [Override] {
    var added: [Override] = []
    func add(_ override: Unretained<Override>) {
      if scope?.find(override.id) != override { added.append(override.object) }
    }
    // Mostly, one of the two has the same older overrides as the other.
    if let scope, older == scope.older || older == scope.merged {
      forEachNewest(add)
    } else {
      forEachOverride(add)
    }
    return added
  }

  /// Every override of this scope.
  fileprivate var overrides: [Override] {
    var overrides: [Override] = []
    forEachOverride { overrides.append($0.object) }
    return overrides
  }
}

extension ScopeNode? {
  /// The root of this scope, which lives as long as this node.
  var unretainedRoot: Unretained<ScopeRoot> {
    Unretained.optional(self)?.root ?? Unretained(.outsideAnyScope)
  }

  /// The global store below this scope, which lives as long as this node.
  var unretainedStore: Unretained<GlobalStore> {
    Unretained.optional(self)?.store ?? Unretained(.process)
  }

  var root: ScopeRoot { withExtendedLifetime(self) { unretainedRoot.object } }

  var store: GlobalStore { root.store }

  /// Every override of this scope.
  var overrides: [Override] {
    withExtendedLifetime(self) { Unretained.optional(self)?.overrides ?? [] }
  }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  func overrides(addedTo scope: ScopeNode?) -> [Override] {
    withExtendedLifetime(self) {
      withExtendedLifetime(scope) {
        Unretained.optional(self)?.overrides(addedTo: .optional(scope)) ?? []
      }
    }
  }

  /// The override that was set last; `nil` in a scope without overrides.
  var newest: Override? {
    withExtendedLifetime(self) { Unretained.optional(self)?.newest?.object }
  }
}

// MARK: - Adding

extension ScopeNode {
  /// Adds a retained override; in place if `scope` is the only reference.
  static func add(_ override: Unretained<Override>, to scope: inout ScopeNode?) {
    let id = override.id
    let hash = KeyHash(id)
    let isAlone = isKnownUniquelyReferenced(&scope)
    guard let node = Unretained.optional(scope) else {
      let new = make(Head(older: .retaining(.outsideAnyScope)))
      new.set(override, hash, at: nil)
      scope = new.takeRetained()
      return
    }
    let index = node.index(of: id, hash)
    let isFull = unsafe index == nil && node.head.pointee.count == room
    // A node whose overrides were merged for other scopes must not change.
    if isAlone, node.merged == nil {
      if isFull { node.moveToOlder() }
      node.set(override, hash, at: index)
    } else {
      let new = node.successor(isFull: isFull)
      new.set(override, hash, at: index)
      unsafe new.overwrite(&scope)
    }
  }

  static func add(_ override: consuming Override, to scope: inout ScopeNode?) {
    add(.retaining(override), to: &scope)
  }
}

extension Unretained<ScopeNode> {
  /// Adds a retained override, or replaces one.
  @_transparent
  fileprivate func set(_ override: Unretained<Override>, _ hash: KeyHash, at present: Int?) {
    let index = unsafe present ?? Int(head.pointee.count)
    let bit: UInt8 = 1 &<< UInt8(truncatingIfNeeded: index)
    let replaced = unsafe head.pointee.owned & bit == 0 ? nil : elements[index]
    unsafe elements[index] = override
    unsafe head.pointee.newest = UInt8(truncatingIfNeeded: index)
    unsafe head.pointee.owned |= bit
    if present == nil {
      unsafe head.pointee.count &+= 1
      unsafe head.pointee.tags |= hash.tag &<< UInt64(truncatingIfNeeded: 8 &* index)
    }
    replaced?.release()
  }

  /// Turns this retained scope into another with the same overrides and room for one more.
  @_transparent
  fileprivate func successor(isFull: Bool) -> Unretained {
    if isFull {
      let new = ScopeNode.make(ScopeNode.Head(older: (merged ?? merge()).retained()))
      release()
      return new
    }
    let new = unsafe ScopeNode.make(
      ScopeNode.Head(
        older: older, below: self, tags: head.pointee.tags, count: head.pointee.count,
        depth: head.pointee.depth &+ 1))
    unsafe new.elements.initialize(from: elements, count: Int(head.pointee.count))
    if unsafe new.head.pointee.depth > ScopeNode.room { new.ownAll() }
    return new
  }

  /// Retains the overrides instead of the node below.
  @inline(never)
  private func ownAll() {
    guard let below = unsafe head.pointee.below.take() else { return }
    forEachNewest { _ = $0.retained() }
    forEachOwned { $0.release() }
    _ = older.retained()
    unsafe head.pointee.owned = UInt8(truncatingIfNeeded: 1 << UInt(head.pointee.count) &- 1)
    unsafe head.pointee.depth = 1
    below.release()
  }

  /// Moves the overrides of this node to the older ones.
  @inline(never)
  fileprivate func moveToOlder() {
    ownAll()
    var all = older.takeRetained()
    OlderOverrides.add(unsafe Int(head.pointee.count), to: &all) { forEachNewest($0) }
    unsafe head.pointee.older = .retaining(all)
    unsafe head.pointee.count = 0
    unsafe head.pointee.owned = 0
    unsafe head.pointee.tags = 0
  }

  /// What holds the overrides of this full node as well, once a scope was built on it.
  @_transparent
  fileprivate var merged: Unretained<OlderOverrides>? {
    let address = unsafe head.pointee.merged.load(ordering: .acquiring)
    return address == 0 ? nil : Unretained<OlderOverrides>(address: address)
  }

  @inline(never)
  private func merge() -> Unretained<OlderOverrides> {
    let all = unsafe older.object.adding(Int(head.pointee.count)) { insert in
      forEachNewest { insert($0.retained()) }
    }
    let new = Unretained<OlderOverrides>.retaining(all)
    let (isFirst, first) = unsafe head.pointee.merged.compareExchange(
      expected: 0, desired: new.address, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    new.release()
    return Unretained<OlderOverrides>(address: first)
  }
}
