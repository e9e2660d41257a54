internal import Synchronization

// How a scope stores its overrides, as a read finds them: a node, a table of older ones, the overrides'
// memory, and references that retain nothing. One file, because debug builds inline only what is
// transparent and stands in the file of its caller, and a read goes through all of it.
//
// Each `unsafe` is sound if the object of a reference is alive, which is up to who keeps one, or for the
// reason that its section gives.

// MARK: - A node

// Each `unsafe` here reaches into the memory behind a node, which `make` has laid out: a head, and eight
// places, of which the first `count` are overrides. The node is alive, because its callers have it, and
// what its memory refers to is owned by it or by the nodes below. It changes only while a single
// reference leads to it.

/// The overrides of a scope: up to eight of distinct keys, on top of a table that holds all older ones.
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
    /// What a key path sets in this scope; the node owns it.
    var assignment: Unretained<Assignment>?
    /// The overrides of the environment that this scope belongs to; the node owns them.
    var own: Unretained<EnvironmentOverrides>?

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
    unsafe node.headPointer.initialize(to: head)
    return node
  }

  /// Returns a scope without overrides.
  static func bare(over root: ScopeRoot) -> ScopeNode {
    make(Head(older: .retaining(OlderOverrides(root)))).takeRetained()
  }

  /// What code outside any scope reads, and what it builds scopes on.
  static let outsideAnyScope = bare(over: ScopeRoot(.process, beganOutsideAnyScope: true))

  deinit {
    Unretained(self).releaseContents()
  }
}

extension Unretained<ScopeNode> {
  @_transparent
  fileprivate var headPointer: UnsafeMutablePointer<ScopeNode.Head> {
    unsafe (reference.toOpaque() + ScopeNode.Head.layout.head)
      .assumingMemoryBound(to: ScopeNode.Head.self)
  }

  @_transparent
  private var placesPointer: UnsafeMutablePointer<Unretained<Override>> {
    unsafe (reference.toOpaque() + ScopeNode.Head.layout.elements)
      .assumingMemoryBound(to: Unretained<Override>.self)
  }

  fileprivate var head: ScopeNode.Head {
    @_transparent unsafeAddress { unsafe UnsafePointer(headPointer) }
    @_transparent nonmutating unsafeMutableAddress { unsafe headPointer }
  }

  /// The override in a place; the first `count` have one.
  private subscript(place: Int) -> Unretained<Override> {
    @_transparent unsafeAddress { unsafe UnsafePointer(placesPointer + place) }
    @_transparent nonmutating unsafeMutableAddress { unsafe placesPointer + place }
  }

  /// Copies the overrides of another node, in place of nothing.
  @_transparent
  private func initializePlaces(from other: Unretained, count: Int) {
    unsafe placesPointer.initialize(from: other.placesPointer, count: count)
  }

  /// The override that was set last in this node.
  var newest: Unretained<Override>? {
    head.count == 0 ? nil : self[Int(head.newest)]
  }

  @_transparent
  private var older: Unretained<OlderOverrides> { head.older }

  /// The root of this scope, which lives as long as this node.
  @_transparent
  var root: Unretained<ScopeRoot> { older.borrow { $0.root } }

  /// The global store below this scope, which lives as long as this node.
  @_transparent
  var store: Unretained<GlobalStore> { older.borrow { $0.store } }

  fileprivate func releaseContents() {
    forEach(in: head.owned) { $0.release() }
    if let below = head.below { below.release() } else { older.release() }
    merged?.release()
    assignment?.release()
    own?.release()
  }

  /// What a key path sets in this scope.
  @_transparent
  var assignment: Unretained<Assignment>? { head.assignment }

  /// The overrides of the environment that this scope belongs to.
  @_transparent
  var own: Unretained<EnvironmentOverrides>? { head.own }

  /// A bit for each override of this node, without the older ones.
  private var places: UInt8 { UInt8(truncatingIfNeeded: 1 << UInt(head.count) &- 1) }

  /// Calls `body` with the overrides whose places have a bit.
  @_transparent
  private func forEach(in places: UInt8, _ body: (Unretained<Override>) -> Void) {
    var rest = places
    while rest != 0 {
      body(self[rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
  }
}

// MARK: - Finding

extension Unretained<ScopeNode> {
  @_transparent
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    if let index = index(of: id, hash) { return self[index] }
    return older.borrow { $0.find(id, hash) }
  }

  /// Compiled once, for everything but a read of an override.
  @inline(never)
  func find(_ id: ObjectIdentifier) -> Unretained<Override>? { find(id, KeyHash(id)) }

  @_transparent
  fileprivate func index(of id: ObjectIdentifier, _ hash: KeyHash) -> Int? {
    var matches = hash.matches(in: head.tags)
    while matches != 0 {
      let index = matches.trailingZeroBitCount / 8
      if self[index].id == id { return index }
      matches &= matches &- 1
    }
    return nil
  }

  /// Calls `body` with each override of this scope, those of this node first.
  private func forEachOverride(_ body: (Unretained<Override>) -> Void) {
    forEach(in: places, body)
    older.object.forEach { if index(of: $0.id, KeyHash($0.id)) == nil { body($0) } }
  }

  fileprivate func overrides(addedTo scope: Unretained<ScopeNode>?) -> [Override] {
    var added: [Override] = []
    func add(_ override: Unretained<Override>) {
      if scope?.find(override.id) != override { added.append(override.object) }
    }
    // Mostly, one of the two has the same older overrides as the other.
    if let scope, older == scope.older || older == scope.merged {
      forEach(in: places, add)
    } else {
      forEachOverride(add)
    }
    return added
  }
}

extension ScopeNode? {
  /// The node of this scope, which lives as long as this.
  @_transparent
  var unretained: Unretained<ScopeNode> {
    if let node = Unretained.optional(self) { return node }
    return Unretained(.outsideAnyScope)
  }

  var unretainedRoot: Unretained<ScopeRoot> { unretained.root }

  var unretainedStore: Unretained<GlobalStore> { unretained.store }

  var root: ScopeRoot { withExtendedLifetime(self) { unretainedRoot.object } }

  var store: GlobalStore { root.store }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  func overrides(addedTo scope: ScopeNode? = nil) -> [Override] {
    withExtendedLifetime(self) {
      withExtendedLifetime(scope) {
        unretained.overrides(addedTo: .optional(scope))
      }
    }
  }
}

// MARK: - Scopes with something of their own

extension ScopeNode {
  /// Returns the scope of an environment with overrides of its own.
  static func own(_ own: EnvironmentOverrides) -> ScopeNode {
    var scope: ScopeNode? = own.around.object
    let new = copy(&scope)
    new.head.own = .retaining(own)
    return scope!
  }

  /// Replaces a scope by one with the same overrides, in which a key path sets a value.
  static func begin(_ assignment: Assignment, in scope: inout ScopeNode?) {
    copy(&scope).head.assignment = .retaining(assignment)
  }

  /// Replaces a scope by a new one with the same overrides.
  private static func copy(_ scope: inout ScopeNode?) -> Unretained<ScopeNode> {
    let node = Unretained.optional(scope) ?? .retaining(outsideAnyScope)
    let new = node.successor(isFull: Int(node.head.count) == room)
    new.overwrite(&scope)
    return new
  }

  static func end(_ assignment: Assignment, in scope: inout ScopeNode?) {
    assignment.end()
    // Other code may have copied the scope, or set another one.
    guard isKnownUniquelyReferenced(&scope), let node = Unretained.optional(scope) else { return }
    node.head.assignment.take()?.release()
  }
}

// MARK: - Adding

extension ScopeNode {
  /// Whether an override of a key concerns no other key, and no watcher.
  // `inout`, because a debug build would retain the scope.
  static func isPlain(_ key: any DependencyKey.Type, in scope: inout ScopeNode?) -> Bool {
    let node = Unretained.optional(at: &scope) ?? Unretained(outsideAnyScope)
    // A pattern, because debug builds call functions for `!=` and `&&`.
    return node.store.borrow { store in
      if case .isAliased = store.globalKeys.use(of: ObjectIdentifier(key)) { return false }
      return !store.isWatched
    }
  }

  /// Adds a retained override; in place if `scope` is the only reference.
  static func add(_ override: Unretained<Override>, to scope: inout ScopeNode?) {
    let id = override.id
    let hash = KeyHash(id)
    let isAlone = isKnownUniquelyReferenced(&scope)
    let node = Unretained.optional(at: &scope) ?? .retaining(outsideAnyScope)
    let index = node.index(of: id, hash)
    let isFull = index == nil && node.head.count == room
    // A node whose overrides were merged for other scopes must not change, and neither must that of an
    // environment, in place of which code enters another one.
    if isAlone, node.merged == nil, node.own == nil {
      if isFull { node.moveToOlder() }
      node.set(override, hash, at: index)
    } else {
      let new = node.successor(isFull: isFull)
      new.set(override, hash, at: index)
      new.overwrite(&scope)
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
    let index = present ?? Int(head.count)
    let bit: UInt8 = 1 &<< UInt8(truncatingIfNeeded: index)
    let replaced = head.owned & bit == 0 ? nil : self[index]
    self[index] = override
    head.newest = UInt8(truncatingIfNeeded: index)
    head.owned |= bit
    if present == nil {
      head.count &+= 1
      head.tags |= hash.tag &<< UInt64(truncatingIfNeeded: 8 &* index)
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
    let new = ScopeNode.make(
      ScopeNode.Head(
        older: older, below: self, tags: head.tags, count: head.count,
        depth: head.depth &+ 1))
    new.initializePlaces(from: self, count: Int(head.count))
    if new.head.depth > ScopeNode.room { new.ownAll() }
    return new
  }

  /// Retains the overrides instead of the node below.
  @inline(never)
  private func ownAll() {
    guard let below = head.below.take() else { return }
    forEach(in: places & ~head.owned) { _ = $0.retained() }
    _ = older.retained()
    head.owned = places
    head.depth = 1
    below.release()
  }

  /// Moves the overrides of this node to the older ones.
  @inline(never)
  fileprivate func moveToOlder() {
    ownAll()
    var all = older.takeRetained()
    OlderOverrides.makeRoom(in: &all, for: ScopeNode.room)
    forEach(in: places) { all.insert($0) }
    head.older = .retaining(all)
    head.count = 0
    head.owned = 0
    head.tags = 0
  }

  /// What holds the overrides of this full node as well, once a scope was built on it.
  @_transparent
  fileprivate var merged: Unretained<OlderOverrides>? {
    let address = head.merged.load(ordering: .acquiring)
    return address == 0 ? nil : Unretained<OlderOverrides>(address: address)
  }

  @inline(never)
  private func merge() -> Unretained<OlderOverrides> {
    var all = older.object
    OlderOverrides.makeRoom(in: &all, for: ScopeNode.room)
    forEach(in: places) { all.insert($0.retained()) }
    let new = Unretained<OlderOverrides>.retaining(all)
    let (isFirst, first) = head.merged.compareExchange(
      expected: 0, desired: new.address, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    new.release()
    return Unretained<OlderOverrides>(address: first)
  }
}

// MARK: - Older overrides

// Each `unsafe` here accesses a slot of a table. Slots have numbers from 0 to the mask, and all of them
// are initialized. The table alone has their address, and its owner orders changes and lookups.

/// The overrides of a scope besides the newest, which its node has.
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

  @inline(__always)
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

// MARK: - A table

/// Overrides of distinct keys, found by their keys. It owns them.
///
/// Open addressing with linear probing. At most half of the slots are used.
// Not a dictionary: hashing a key costs as much as a whole read, and a lookup retains what it finds.
// Unchecked because of the pointer.
@safe
struct OverrideTable: ~Copyable, @unchecked Sendable {
  private var slots: UnsafeMutablePointer<Unretained<Override>?>
  private var mask: Int
  private(set) var count = 0

  init(mask: Int = 0) {
    self.mask = mask
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: nil, count: mask + 1)
  }

  private subscript(slot: Int) -> Unretained<Override>? {
    @_transparent unsafeAddress { unsafe UnsafePointer(slots + slot) }
    @_transparent nonmutating unsafeMutableAddress { unsafe slots + slot }
  }

  deinit {
    forEach { $0.release() }
    unsafe slots.deallocate()
  }

  /// The mask of a table with room for more overrides.
  private func mask(makingRoomFor new: Int) -> Int {
    var slots = max(mask + 1, 32)
    while slots < 2 * (count + new) { slots *= 2 }
    return slots - 1
  }

  @_transparent
  func find(_ id: ObjectIdentifier, _ hash: KeyHash) -> Unretained<Override>? {
    self[slot(of: id, hash)]
  }

  @_transparent
  func forEach(_ body: (Unretained<Override>) -> Void) {
    if count == 0 { return }
    var slot = 0
    while slot <= mask {
      if let override = self[slot] { body(override) }
      slot &+= 1
    }
  }

  /// Returns a table of the same overrides, with room for more.
  func copy(makingRoomFor new: Int) -> OverrideTable {
    var copy = OverrideTable(mask: mask(makingRoomFor: new))
    if copy.mask == mask {
      unsafe copy.slots.update(from: slots, count: mask + 1)
      copy.count = count
    } else {
      forEach { _ = copy.insert($0) }
    }
    forEach { _ = $0.retained() }
    return copy
  }

  /// Makes room for more overrides.
  mutating func makeRoom(for new: Int) {
    if 2 * (count + new) <= mask + 1 { return }
    var larger = OverrideTable(mask: mask(makingRoomFor: new))
    forEach { _ = larger.insert($0) }
    // The larger one owns the overrides now.
    count = 0
    swap(&self, &larger)
  }

  /// Inserts a retained override, for which there is room.
  ///
  /// - Returns: The override that it replaces, which the caller must release.
  @_transparent
  mutating func insert(_ override: Unretained<Override>) -> Unretained<Override>? {
    let id = override.id
    let slot = slot(of: id, KeyHash(id))
    let replaced = self[slot]
    self[slot] = override
    if replaced == nil { count &+= 1 }
    return replaced
  }

  /// The slot that has the override of a key, or would have it.
  @_transparent
  private func slot(of id: ObjectIdentifier, _ hash: KeyHash) -> Int {
    var slot = hash.slot(mask)
    while let override = self[slot], override.id != id { slot = (slot &+ 1) & mask }
    return slot
  }
}

// MARK: - An override

// Each `unsafe` here reaches into the memory behind an override, which `makeRetained` has laid out: a
// head, and a value of the type that the override's key has. The override is alive, because its callers
// have it, or a scope or a store that owns it. All but an atomic word is immutable.

/// One value of one key.
///
/// An override is immutable and never copied, so its address is its identity. Its memory is a head,
/// and then the value.
// Unchecked, because the class has memory in place of stored properties.
@safe
@usableFromInline
package final class Override: @unchecked Sendable {
  @usableFromInline
  struct Head: ~Copyable {
    let key: any DependencyKey.Type
    /// `nil` if there is nothing to do to destroy the value.
    let valueType: Any.Type?
    /// 0 in most overrides; otherwise the address of an ``OverrideAttachment``, plus 1 if reads of the
    /// override concern that.
    let attachment = Atomic<UInt>(0)

    /// The value's address is a multiple of this, as that of any memory.
    @_alwaysEmitIntoClient
    @_transparent
    static var valueAlignment: Int { 2 &* MemoryLayout<UInt>.size }

    @_alwaysEmitIntoClient
    @_transparent
    static var layout: TailLayout {
      TailLayout(
        headSize: MemoryLayout<Head>.size, headAlignment: MemoryLayout<Head>.alignment,
        elementAlignment: valueAlignment, wordSize: MemoryLayout<UInt>.size)
    }
  }

  package static func make<Value: Sendable>(
    _ key: any DependencyKey.Type, _ value: consuming Value, owner: OverrideOwner? = nil,
    record: (any AnyObject & Sendable)? = nil
  ) -> Override {
    let override = makeRetained(key, value)
    if owner != nil || record != nil {
      _ = override.attach(OverrideAttachment(owner: owner, record: record), isWatched: true)
    }
    return override.takeRetained()
  }

  // Not specialized, so that it is compiled once.
  @_semantics("optimize.sil.specialize.generic.never")
  static func makeRetained<Value: Sendable>(
    _ key: any DependencyKey.Type, _ value: consuming Value
  ) -> Unretained<Override> {
    let alignment = MemoryLayout<Value>.alignment
    let override = Head.layout.make(
      Override.self,
      bytes: MemoryLayout<Value>.size &+ (alignment > Head.valueAlignment ? alignment : 0))
    unsafe override.headPointer.initialize(
      to: Head(key: key, valueType: _isPOD(Value.self) ? nil : Value.self))
    unsafe override.valueAddress(Value.self).initialize(to: value)
    return override
  }

  deinit {
    let memory = Unretained(self)
    if let type = memory.head.valueType { destroyValue(type) }
    memory.attachment?.release()
  }

  private func destroyValue<Value>(_ type: Value.Type) {
    unsafe Unretained(self).valueAddress(Value.self).deinitialize(count: 1)
  }
}

extension Unretained<Override> {
  @_transparent
  fileprivate var headPointer: UnsafeMutablePointer<Override.Head> {
    unsafe (reference.toOpaque() + Override.Head.layout.head)
      .assumingMemoryBound(to: Override.Head.self)
  }

  fileprivate var head: Override.Head {
    @_transparent unsafeAddress { unsafe UnsafePointer(headPointer) }
  }

  /// The address of the value, regardless of its type, unless its alignment is exceptional.
  @_alwaysEmitIntoClient
  @_transparent
  func valueAddress<Value>(_: Value.Type) -> UnsafeMutablePointer<Value> {
    let address = unsafe reference.toOpaque() + Override.Head.layout.elements
    return MemoryLayout<Value>.alignment <= Override.Head.valueAlignment
      ? unsafe address.assumingMemoryBound(to: Value.self)
      : unsafe address.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
  }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  @_transparent
  func value<Value>(as type: Value.Type) -> Value {
    unsafe valueAddress(Value.self).pointee
  }

  @_transparent
  var key: any DependencyKey.Type { head.key }

  @_transparent
  var id: ObjectIdentifier { ObjectIdentifier(key) }

  /// Whether a read must be noticed.
  @_transparent
  var isWatched: Bool {
    head.attachment.load(ordering: .relaxed) & 1 != 0 && isWatching
  }

  @inline(never)
  private var isWatching: Bool {
    attachment!.borrow {
      Unretained<OverrideOwner>.optional($0.owner)?.borrow { $0.hasEnded } ?? true
    }
  }

  @_transparent
  var attachment: Unretained<OverrideAttachment>? {
    let address = head.attachment.load(ordering: .acquiring) & ~1
    return address == 0 ? nil : Unretained<OverrideAttachment>(address: address)
  }

  /// Attaches an object unless there is one already, and returns the one that is attached.
  func attach(_ new: OverrideAttachment, isWatched: Bool) -> OverrideAttachment {
    let retained = Unretained<OverrideAttachment>.retaining(new)
    let (isFirst, _) = head.attachment.compareExchange(
      expected: 0, desired: retained.address | (isWatched ? 1 : 0),
      ordering: .acquiringAndReleasing)
    if isFirst { return new }
    retained.release()
    return attachment!.object
  }
}

// MARK: - References that retain nothing

/// A reference that retains nothing.
///
/// For objects that something else keeps alive while this reference is used. Retaining one costs
/// more than the rest of a read, and two threads that retain the same object slow each other down
/// fivefold.
///
/// This is the only type in the core that handles uncounted references.
// Frozen and usable from inline code, although no client uses it: otherwise other modules copy more of
// the structures that contain one, and an action through three pullbacks takes 500 instead of 350.
@safe
@frozen
@usableFromInline
package struct Unretained<Object: AnyObject>: Equatable {
  @usableFromInline let reference: Unmanaged<Object>

  @usableFromInline
  @_transparent
  package init(_ object: borrowing Object) {
    unsafe reference = .passUnretained(object)
  }

  private init(reference: Unmanaged<Object>) {
    unsafe self.reference = reference
  }

  /// Wraps an optional object.
  ///
  /// Unwrapping it first would retain it.
  @_transparent
  static func optional(_ object: Object?) -> Unretained? {
    // Sound: all three are one pointer, and 0 is `nil`.
    unsafe unsafeBitCast(object, to: Unretained?.self)
  }

  /// What a variable refers to.
  ///
  /// A debug build would retain it to load it.
  @safe
  @_transparent
  static func optional(at variable: UnsafeMutablePointer<Object?>) -> Unretained? {
    // Sound, as above.
    unsafe UnsafeRawPointer(variable).load(as: Unretained?.self)
  }

  /// Retains an object until ``release()`` or ``takeRetained()``.
  @_transparent
  package static func retaining(_ object: consuming Object) -> Unretained {
    unsafe Unretained(reference: .passRetained(object))
  }

  /// The address of an object, to compare it without retaining it; 0 for `nil`.
  @_alwaysEmitIntoClient
  @_transparent
  static func address(of object: Object?) -> UInt {
    // Sound: the reference is one pointer.
    unsafe unsafeBitCast(object, to: UInt.self)
  }

  /// The address of the object, for an atomic word.
  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// The object at an address.
  init(address: UInt) {
    // Sound: `address` is the address of such an object.
    unsafe self.init(reference: .fromOpaque(UnsafeRawPointer(bitPattern: address)!))
  }

  /// Retains the object until ``release()`` or ``takeRetained()``.
  @_transparent
  func retained() -> Unretained {
    // A debug build retains once here, and twice in `retain()`.
    unsafe Unretained(reference: reference._withUnsafeGuaranteedRef { unsafe .passRetained($0) })
  }

  package func release() { unsafe reference.release() }

  package func takeRetained() -> Object { unsafe reference.takeRetainedValue() }

  /// Puts this retained object in place of one whose reference something else owns by now.
  @safe
  @_transparent
  func overwrite(_ reference: UnsafeMutablePointer<Object?>) {
    // Sound: both are one pointer.
    unsafe UnsafeMutableRawPointer(reference).storeBytes(of: address, as: UInt.self)
  }

  /// Calls `body` with the object, which must stay alive until `body` returns.
  @_alwaysEmitIntoClient
  @_transparent
  package func borrow<R>(_ body: (Object) -> R) -> R {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, retained.
  @_transparent
  package var object: Object { unsafe reference.takeUnretainedValue() }

  @usableFromInline
  package static func == (lhs: Unretained, rhs: Unretained) -> Bool {
    // Sound: the addresses are only compared.
    unsafe lhs.reference.toOpaque() == rhs.reference.toOpaque()
  }
}

extension Unretained: Sendable where Object: Sendable {}

// MARK: - Memory behind an object

/// Where the memory of an object begins that has a head and elements in place of stored properties.
///
/// They are plain values: what they own, the object's `deinit` releases.
// Not a `ManagedBuffer`, which isn't sendable, and whose generic code debug builds don't specialize.
@frozen
@usableFromInline
struct TailLayout {
  /// The offset of the head, in bytes.
  @usableFromInline let head: Int
  /// The offset of the first element.
  @usableFromInline let elements: Int

  /// - Parameters:
  ///   - elementAlignment: A power of two, as every alignment.
  ///   - wordSize: The size of a pointer. Objects begin with two: their type, and their references.
  @_alwaysEmitIntoClient
  @_transparent
  init(
    headSize: Int, headAlignment: Int, elementAlignment: Int, wordSize: Int
  ) {
    head = Self.roundUp(2 &* wordSize, headAlignment)
    elements = Self.roundUp(head &+ headSize, elementAlignment)
  }

  @_alwaysEmitIntoClient
  @_transparent
  static func roundUp(_ offset: Int, _ alignment: Int) -> Int {
    (offset &+ alignment &- 1) & ~(alignment &- 1)
  }

  /// Returns a retained object of a class without stored properties, with uninitialized memory.
  ///
  /// - Parameter bytes: The size of the elements.
  @_transparent
  func make<Object: AnyObject>(_ type: Object.Type, bytes: Int) -> Unretained<Object> {
    let wordSize = MemoryLayout<UInt>.size
    let words = (elements &+ bytes &- 2 &* wordSize &+ wordSize &- 1) / wordSize
    let buffer = ManagedBufferPointer<Void, UInt>(
      bufferClass: type, minimumCapacity: words, makingHeaderWith: { _, _ in })
    // Sound: a buffer pointer is a single reference, to an object of this class.
    return unsafe .retaining(unsafeBitCast(buffer, to: Object.self))
  }
}

// MARK: - Hashes

/// Spreads the addresses that identify keys.
struct KeyHash {
  private let product: UInt64

  @_transparent
  init(_ id: ObjectIdentifier) {
    self.init(UInt(bitPattern: id))
  }

  @_transparent
  init(_ address: UInt) {
    // 2⁶⁴ divided by the golden ratio, made odd, so that evenly spaced addresses end up far apart.
    product = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
  }

  /// A byte that isn't 0.
  @_transparent
  var tag: UInt64 { product >> 57 | 0x80 }

  /// The highest bit of each byte of `tags` that is this tag.
  @_transparent
  func matches(in tags: UInt64) -> UInt64 {
    let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    // A byte is 0 where the tags are equal.
    let difference = tags ^ (tag &* 0x0101_0101_0101_0101)
    return ~(((difference & lowBits) &+ lowBits) | difference | lowBits)
  }

  /// A slot within `mask`, computed from other bits than ``tag``.
  @_transparent
  func slot(_ mask: Int) -> Int { Int(truncatingIfNeeded: product >> 26) & mask }
}
