internal import Synchronization

// The plain form of a scope is a dictionary of overrides. Each scope that is built on another copies it:
// entering one takes twice as long among 16 overrides, and seven times as long among 64. It is also
// slower to read: twice, with the hash and the retained override.

/// The overrides of a scope: up to eight of distinct keys, on top of a table that holds all older ones.
///
/// A node owns the overrides that were added to it, and the node that it was built on, which owns the
/// others. So building a scope on another retains a single object. The ninth node in a row owns all of
/// its overrides itself, which bounds memory.
///
/// `nil` in place of a node stands for a task outside any scope: no overrides, over the process's
/// global store.
// Unchecked, because it changes while a single reference leads to it.
@safe
@usableFromInline
package final class ScopeNode: @unchecked Sendable {
  private static let room: UInt8 = 8

  private struct Contents {
    /// What holds all other overrides.
    var older: Unretained<OlderOverrides>
    /// What owns that, if it is this node: the one below does, and what code outside any scope
    /// reads is never freed.
    var ownedOlder: OlderOverrides?
    /// The node that this was built on.
    var below: ScopeNode?
    /// A byte for each override, which depends on its key; 0 where there is none.
    var tags: UInt64 = 0
    var count: UInt8 = 0
    /// The place of the override that was set last.
    var newest: UInt8 = 0
    /// A bit for each override that this owns.
    var owned: UInt8 = 0
    /// The number of nodes in a row, up to this one.
    var depth: UInt8 = 1
  }

  // The first property, whose address is known.
  private var places: Places
  // Safe for the same reason. The dynamic check takes as long as the rest of a read.
  @safe @exclusivity(unchecked) private var contents: Contents
  /// What also holds the overrides of this full node, once a scope was built on it.
  ///
  /// All scopes that are built on the node share it.
  private let merged = SetOnce<OlderOverrides>()
  /// The overrides of the environment that this scope belongs to.
  let own: EnvironmentOverrides?
  /// The scope that code enters to run in this one, if it belongs to an environment.
  let around: Unretained<ScopeNode>?
  /// Whether a key path may be setting a value in this scope, on one of the threads.
  let hasAssignments = Atomic(false)

  /// Creates a scope without overrides of its own.
  private init(_ contents: consuming Contents) {
    places = (nil, nil, nil, nil, nil, nil, nil, nil)
    self.contents = contents
    own = nil
    around = nil
  }

  private convenience init(owning older: consuming OlderOverrides) {
    self.init(Contents(older: Unretained(older), ownedOlder: older))
  }

  /// Creates a scope with the overrides of another one.
  private init(on below: consuming ScopeNode, own: EnvironmentOverrides? = nil) {
    let other = Unretained(below)
    places = (nil, nil, nil, nil, nil, nil, nil, nil)
    contents = Contents(
      older: below.contents.older, tags: below.contents.tags, count: below.contents.count,
      depth: below.contents.depth &+ 1)
    // Last, because it would be retained for another use.
    contents.below = below
    self.own = own
    around = own?.around
    // Sound: both have eight places.
    other.borrow { unsafe place(0).update(from: $0.place(0), count: Int(contents.count)) }
  }

  /// Creates the scope of an environment with overrides of its own.
  convenience init(of own: EnvironmentOverrides) {
    self.init(on: own.around.object, own: own)
    limitDepth()
  }

  /// Creates a scope without overrides.
  convenience init(bareOver root: ScopeRoot) {
    self.init(owning: OlderOverrides(root))
  }

  /// What code outside any scope reads, and what it builds scopes on.
  static let outsideAnyScope = ScopeNode(
    bareOver: ScopeRoot(.process, beganOutsideAnyScope: true))

  deinit {
    forEach(in: contents.owned) { $0.release() }
  }

  /// The root of this scope, which lives as long as this node.
  var root: Unretained<ScopeRoot> { contents.older.borrow { $0.root } }

  /// The global store below this scope, which lives as long as this node.
  var store: Unretained<GlobalStore> { contents.older.borrow { $0.store } }

  /// The override that was set last in this node.
  var newest: Override? { contents.count == 0 ? nil : self[Int(contents.newest)]?.object }
}

// MARK: - Places

extension ScopeNode {
  private typealias Place = Unretained<Override>?
  /// In the order in which the keys were added.
  private typealias Places = (Place, Place, Place, Place, Place, Place, Place, Place)

  /// The address of a place.
  // Not an array, which would be an allocation more, nor a switch over the places: a read of an override
  // takes one and a half times as long.
  private func place(_ number: Int) -> UnsafeMutablePointer<Place> {
    // Sound: the first property is eight places.
    unsafe _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Place.self) + number
  }

  /// The override in a place; the first ones have one.
  private subscript(number: Int) -> Place {
    // Sound, as above.
    get { unsafe place(number).pointee }
    set { unsafe place(number).pointee = newValue }
  }
}

// MARK: - Finding

extension ScopeNode {
  @inline(__always)
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    if let (_, override) = findHere(id, hash) { return override }
    return contents.older.borrow { $0.find(id, hash) }
  }

  /// The override of a key in this node, and its place.
  @inline(__always)
  private func findHere(
    _ id: ObjectIdentifier, _ hash: KeyHash
  ) -> (place: Int, override: Unretained<Override>)? {
    var matches = hash.matches(in: contents.tags)
    while matches != 0 {
      let place = matches.trailingZeroBitCount / 8
      if let override = self[place], override.id == id { return (place, override) }
      matches &= matches &- 1
    }
    return nil
  }

  /// Calls `body` with the overrides whose places have a bit.
  private func forEach(in places: UInt8, _ body: (Unretained<Override>) -> Void) {
    var rest = places
    while rest != 0 {
      if let override = self[rest.trailingZeroBitCount] { body(override) }
      rest &= rest &- 1
    }
  }

  /// A bit for each override of this node, without the older ones.
  private var all: UInt8 { UInt8(truncatingIfNeeded: 1 << Int(contents.count) &- 1) }

  /// The overrides of this scope that `scope` doesn't have.
  fileprivate func overrides(addedTo scope: ScopeNode?) -> [Override] {
    var added: [Override] = []
    func add(_ override: Unretained<Override>) {
      let present = scope?.find(override.id, KeyHash(override.id))
      if present != override { added.append(override.object) }
    }
    forEach(in: all, add)
    // Mostly, one of the two has the same older overrides as the other.
    let older = contents.older
    if older != scope?.contents.older, older != scope?.merged.object {
      older.object.forEach { if findHere($0.id, KeyHash($0.id)) == nil { add($0) } }
    }
    return added
  }
}

extension ScopeNode? {
  /// The node of this scope, which lives as long as this.
  var unretained: Unretained<ScopeNode> {
    if let node = Unretained.optional(self) { return node }
    return Unretained(.outsideAnyScope)
  }

  var root: ScopeRoot { withExtendedLifetime(self) { unretained.root.object } }

  var store: GlobalStore { root.store }

  /// Whether updates of this scope are watched.
  @usableFromInline
  var isWatched: Bool { unretained.store.borrow { $0.isWatched } }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  func overrides(addedTo scope: ScopeNode? = nil) -> [Override] {
    (self ?? .outsideAnyScope).overrides(addedTo: scope)
  }
}

extension Unretained<ScopeNode> {
  var root: Unretained<ScopeRoot> { self.borrow { $0.root } }
  var store: Unretained<GlobalStore> { self.borrow { $0.store } }
  var around: Unretained? { self.borrow { $0.around } }

  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    self.borrow { $0.find(id, hash) }
  }

  /// Compiled once, for everything but a read of an override.
  @inline(never)
  func find(_ id: ObjectIdentifier) -> Unretained<Override>? { find(id, KeyHash(id)) }
}

// MARK: - Adding

extension ScopeNode {
  /// Whether an override of a key concerns no other key, and no watcher.
  static func isPlain(_ key: any DependencyKey.Type, in scope: ScopeNode?) -> Bool {
    scope.unretained.store.borrow {
      $0.globalKeys.use(of: ObjectIdentifier(key)) != .isAliased && !$0.isWatched
    }
  }

  /// Adds an override; in place if `scope` is the only reference.
  static func add(_ override: consuming Override, to scope: inout ScopeNode?) {
    let hash = KeyHash(override.id)
    let isAlone = scope == nil || isKnownUniquelyReferenced(&scope)
    var node = scope.take() ?? ScopeNode(Contents(older: outsideAnyScope.contents.older))
    if !isAlone || !node.canChange {
      let isFull = node.contents.count == room && node.findHere(override.id, hash) == nil
      node =
        isFull
        ? ScopeNode(owning: (node.merged.object ?? node.merge()).object) : ScopeNode(on: node)
      node.limitDepth()
    }
    node.set(.retaining(override), hash)
    scope = node
  }

  /// Whether no other scope depends on what this node has, and code that enters it enters this node.
  private var canChange: Bool { merged.object == nil && own == nil }

  /// Adds a retained override, or replaces one.
  private func set(_ override: Unretained<Override>, _ hash: KeyHash) {
    if let (place, replaced) = findHere(override.id, hash) {
      let ownsReplaced = contents.owned & bit(place) != 0
      put(override, place)
      if ownsReplaced { replaced.release() }
    } else {
      if contents.count == Self.room { moveToOlder() }
      contents.tags |= hash.tag &<< UInt64(8 &* contents.count)
      contents.count &+= 1
      put(override, Int(contents.count) &- 1)
    }
  }

  private func put(_ override: Unretained<Override>, _ place: Int) {
    self[place] = override
    contents.newest = UInt8(truncatingIfNeeded: place)
    contents.owned |= bit(place)
  }

  private func bit(_ place: Int) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: place) }

  private func limitDepth() { if contents.depth > Self.room { ownAll() } }

  /// Owns all overrides instead of the node below.
  private func ownAll() {
    guard let below = contents.below.take() else { return }
    forEach(in: all & ~contents.owned) { _ = $0.retained() }
    contents.ownedOlder = contents.older.object
    contents.owned = all
    contents.depth = 1
    withExtendedLifetime(below) {}
  }

  /// Moves the overrides of this node to the older ones.
  private func moveToOlder() {
    ownAll()
    var older = contents.ownedOlder.take() ?? contents.older.object
    OlderOverrides.makeRoom(in: &older, for: Int(Self.room))
    forEach(in: all) { older.insert($0) }
    contents = Contents(older: Unretained(older), ownedOlder: older)
  }

  private func merge() -> Unretained<OlderOverrides> {
    var older = contents.older.object
    OlderOverrides.makeRoom(in: &older, for: Int(Self.room))
    forEach(in: all) { older.insert($0.retained()) }
    return merged.set(older)
  }
}
