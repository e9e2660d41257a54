internal import Synchronization

/// The building block of a scope: one or more overrides, on top of those set before, over a table.
///
/// The overrides are linked from the newest to the oldest, across nodes, to a chain of at most
/// ``longestChain``. The next override starts a new chain, over a table that has taken over the old
/// one. So a read walks few overrides, regardless of their number.
///
/// An update that sets several dependencies puts them side by side in one node, as long as nothing
/// else refers to it.
///
/// `nil` in place of a node stands for a task outside any scope: no overrides, over the process's
/// global store. A node without overrides only holds its table.
///
/// A buffer: its memory is an `OverrideNodeHeader`, the table that has taken over the chain, and the
/// overrides.
// Unchecked, because a node changes while a single reference leads to it: overrides are added, and a
// table takes them over. Everything else is immutable or atomic.
@safe
@usableFromInline
final class OverrideNode: @unchecked Sendable {
  static let longestChain: UInt8 = 8

  deinit {
    let below = destroyOverrides()
    if let below {
      Self.release(chain: below)
    } else {
      head.table?.release()
    }
    head.observer?.release()
    publishedTable?.release()
  }

  /// Destroys the overrides of this node, and returns the node below, which this owns.
  private func destroyOverrides() -> Unowned<OverrideNode>? {
    var cursor = newest
    let own = Unowned(self)
    while let override = cursor {
      if override.node != own { return override.node }
      cursor = override.next
      override.destroy()
    }
    return nil
  }

  /// Releases a node, and those below it that nothing else refers to.
  ///
  /// Without recursion, because a table keeps as many nodes as it has overrides.
  private static func release(chain: Unowned<OverrideNode>) {
    var node = chain.takeRetained()
    while isKnownUniquelyReferenced(&node) {
      guard let next = node.takeBelow() else { return }
      node = next.takeRetained()
    }
  }

  /// The oldest override of this node.
  private var oldest: Override? {
    guard var oldest = newest else { return nil }
    let own = Unowned(self)
    while let next = oldest.next, next.node == own { oldest = next }
    return oldest
  }

  /// Unlinks this from the node below, and returns that, which the caller must release.
  private func takeBelow() -> Unowned<OverrideNode>? {
    guard let below = oldest?.takeNext() else { return nil }
    head.table = nil
    return below.node
  }
}

/// What a node knows, apart from its overrides.
@safe
fileprivate struct OverrideNodeHeader {
  /// The table below this chain.
  ///
  /// Owned by the last node of the chain, so that the others need not retain it. A node that a table
  /// keeps has none.
  var table: Unowned<OverrideTable>?
  /// Notified of each read; `nil` in most nodes. Owned by the node.
  var observer: Unowned<ReadObserver>?
  /// The bits of the keys that this chain overrides.
  var filter: UInt64 = 0
  /// The alias epoch of the store before the first override of this scope.
  var aliasEpoch: UInt32 = 0
  /// The distance from the table, and ``objectBit``.
  var depthAndKind: UInt8 = 0
  /// The word where the newest override begins.
  var newest: UInt8 = 0
  /// The words that overrides use; 255 if there are more.
  var used: UInt8 = 0
  /// The words that there are for overrides; 255 if there are more.
  var capacity: UInt8 = 0

  private static let objectBit: UInt8 = 1 << 7

  /// The distance from the table; 0 in a node that overrides nothing and in one that a table keeps.
  var depth: UInt8 { depthAndKind & ~Self.objectBit }

  /// Whether the only value is an object, regardless of its key.
  var holdsObject: Bool {
    get { depthAndKind & Self.objectBit != 0 }
    set { depthAndKind = newValue ? depthAndKind | Self.objectBit : depth }
  }
}

extension OverrideNode {
  // Not a subclass of `ManagedBuffer`, which isn't sendable.
  @inline(__always)
  private var buffer: ManagedBufferPointer<OverrideNodeHeader, UInt> {
    ManagedBufferPointer(unsafeBufferObject: self)
  }

  // All fields are trivial, so this loads only what is used.
  @inline(__always)
  fileprivate var head: OverrideNodeHeader {
    get { unsafe buffer.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }
    _modify {
      yield unsafe &buffer.withUnsafeMutablePointerToHeader { unsafe $0 }.pointee
    }
  }

  /// Where the table is published that has taken over this chain, for the scopes built on it.
  ///
  /// Not an `AtomicLazyReference`, whose unspecialized load costs as much as an override.
  @inline(__always)
  private var takenOver: UnsafeMutablePointer<Atomic<Unmanaged<OverrideTable>?>> {
    unsafe buffer.withUnsafeMutablePointerToElements { elements in
      unsafe UnsafeMutableRawPointer(elements).assumingMemoryBound(
        to: Atomic<Unmanaged<OverrideTable>?>.self)
    }
  }

  /// The table that has taken over this chain, if there is one.
  var publishedTable: Unowned<OverrideTable>? {
    unsafe Unowned.optional(takenOver.pointee.load(ordering: .acquiring))
  }

  /// Publishes a table that has taken over this chain, and returns the one that was first.
  func publish(_ table: OverrideTable) -> OverrideTable {
    let new = unsafe Unmanaged.passRetained(table)
    let (isFirst, published) = unsafe takenOver.pointee.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if isFirst { return table }
    unsafe new.release()
    return unsafe published!.takeUnretainedValue()
  }

  /// A place in the memory for overrides.
  @inline(__always)
  private func address(ofWord word: Int) -> UnsafeMutableRawPointer {
    unsafe buffer.withUnsafeMutablePointerToElements { unsafe UnsafeMutableRawPointer($0 + 1 + word) }
  }

  /// The newest override of the chain; `nil` in a node that overrides nothing.
  @inline(__always)
  var newest: Override? {
    let head = head
    return head.used == 0 ? nil : unsafe Override(at: address(ofWord: Int(head.newest)))
  }

  /// The table below this chain, which lives as long as this node.
  @inline(__always)
  // Sound: every node of a chain has a table, and only those are asked.
  var unownedTable: Unowned<OverrideTable> { unsafe head.table.unsafelyUnwrapped }

  /// The table below this chain.
  var table: OverrideTable { withExtendedLifetime(self) { head.table!.object } }

  /// The alias epoch of the store before the first override of this scope.
  ///
  /// Its highest bit says that the places of overrides are recorded.
  @inline(__always)
  var aliasEpoch: UInt32 { head.aliasEpoch }

  /// Notified of each read of this node's override.
  @inline(__always)
  var observer: Unowned<ReadObserver>? { head.observer }

  /// Whether this is a scope that a table stands for, with no override on top.
  var isBare: Bool { head.used == 0 }

  /// Whether this holds an object instead of overrides: the marks of a scope, or a record.
  @inline(__always)
  var holdsObject: Bool { head.holdsObject }
}

// MARK: - Making

extension OverrideNode {
  /// Returns a scope without overrides.
  static func bare(over table: OverrideTable) -> OverrideNode {
    make(
      words: 0,
      OverrideNodeHeader(
        table: .retaining(table), aliasEpoch: table.owner.store.aliasEpoch))
  }

  /// Returns a scope with one more override, which may be `below` itself.
  ///
  /// - Parameter aliasEpoch: The store's epoch, used if there is no node below.
  static func adding(
    _ key: any DependencyKey.Type, layout: ValueLayout, to below: consuming OverrideNode?,
    aliasEpoch: UInt32, observer: ReadObserver? = nil, _ write: (ValueMemory) -> Void
  ) -> OverrideNode {
    let isAlone = isKnownUniquelyReferenced(&below)
    if isAlone, observer == nil, below!.append(key, layout, write) { return below! }
    return on(
      below, isAlone: isAlone, key, layout, aliasEpoch: aliasEpoch, observer: observer, write)
  }

  /// Returns a scope that an object marks.
  static func marked(
    by object: AnyObject, as key: any DependencyKey.Type, on below: OverrideNode?,
    aliasEpoch: UInt32
  ) -> OverrideNode {
    let node = on(
      below, isAlone: false, key, ValueLayout(of: AnyObject.self), aliasEpoch: aliasEpoch,
      observer: nil
    ) { $0.initialize(to: object) }
    node.head.holdsObject = true
    return node
  }

  /// Returns an object for an index to find by a key.
  static func record(_ object: AnyObject, for key: any DependencyKey.Type) -> KeptOverride {
    let record = single(key, layout: ValueLayout(of: AnyObject.self)) {
      $0.initialize(to: object)
    }
    record.node.head.holdsObject = true
    return record
  }

  /// Returns an override in a node of its own, outside any chain.
  static func single(
    _ key: any DependencyKey.Type, layout: ValueLayout, observer: ReadObserver? = nil,
    _ write: (ValueMemory) -> Void
  ) -> KeptOverride {
    let node = make(
      words: words(for: layout), OverrideNodeHeader(observer: observer.map { .retaining($0) }))
    return KeptOverride(node: node, node.place(key, layout, on: nil, write)!)
  }

  /// Returns a scope with one more override, in a new node.
  private static func on(
    _ below: consuming OverrideNode?, isAlone: Bool, _ key: any DependencyKey.Type,
    _ layout: ValueLayout, aliasEpoch: UInt32, observer: ReadObserver?, _ write: (ValueMemory) -> Void
  ) -> OverrideNode {
    var header = OverrideNodeHeader(
      observer: observer.map { .retaining($0) },
      filter: KeyHash(ObjectIdentifier(key)).bit,
      aliasEpoch: below?.aliasEpoch ?? aliasEpoch)
    let depthBelow = below?.head.depth ?? longestChain
    header.depthAndKind = 1
    var room: UInt8 = 1
    if depthBelow == 0 {
      // Nothing to walk or to take over.
      header.table = .retaining(below!.table)
      below = nil
    } else if depthBelow < longestChain {
      header.table = below!.head.table
      header.filter |= below!.head.filter
      header.depthAndKind = depthBelow + 1
      if isAlone { room = min(longestChain - depthBelow, 2 * depthBelow + 1) }
    } else {
      let (table, isInPlace) = table(takingOver: below.take())
      header.table = .retaining(table)
      if isInPlace { room = longestChain }
    }
    let node = make(
      words: words(for: layout, room: observer == nil ? room : 1), header)
    _ = node.place(key, layout, on: below, write)
    return node
  }

  private static func make(words: Int, _ header: OverrideNodeHeader) -> OverrideNode {
    let buffer = ManagedBufferPointer<OverrideNodeHeader, UInt>(
      bufferClass: OverrideNode.self, minimumCapacity: 1 + words
    ) { _, _ in header }
    // Sound: the buffer is an instance of this class.
    let node = unsafe unsafeDowncast(buffer.buffer, to: OverrideNode.self)
    node.head.capacity = UInt8(clamping: words)
    unsafe node.takenOver.initialize(to: Atomic(nil))
    return node
  }

  /// The words for an override, and for others that may follow.
  private static func words(for layout: ValueLayout, room: UInt8 = 1) -> Int {
    let header = Override.valueOffset / wordSize
    // More, because the value may have to begin later.
    let own = header + layout.words + max(layout.alignment / wordSize, 1) - 1
    let others = (Int(room) - 1) * (header + min(layout.words, 4))
    return room == 1 ? own : max(own, min(own + others, 255))
  }

  private static var wordSize: Int { MemoryLayout<UInt>.size }
}

// MARK: - Adding

extension OverrideNode {
  /// Adds an override to a chain that only one reference leads to.
  ///
  /// - Returns: Whether there was room.
  private func append(
    _ key: any DependencyKey.Type, _ layout: ValueLayout, _ write: (ValueMemory) -> Void
  ) -> Bool {
    let head = head
    guard (1..<Self.longestChain).contains(head.depthAndKind), head.observer == nil,
      place(key, layout, on: nil, write) != nil
    else { return false }
    self.head.depthAndKind += 1
    self.head.filter |= KeyHash(ObjectIdentifier(key)).bit
    return true
  }

  /// Adds a copy of an override to a node that a table will keep.
  ///
  /// - Returns: The copy, unless there was no room.
  func place(copyOf override: Override, on below: OverrideNode?) -> Override? {
    let key = override.exactKey
    guard let copy = place(key, key.valueLayout, on: below, { key.copyValue(of: override, to: $0) })
    else { return nil }
    copy.shareIdentity(of: override)
    return copy
  }

  /// Adds an override.
  ///
  /// - Parameter below: What the first override is on top of.
  /// - Returns: The override, unless there was no room. There is for the first.
  @inline(__always)
  private func place(
    _ key: any DependencyKey.Type, _ layout: ValueLayout, on below: OverrideNode?,
    _ write: (ValueMemory) -> Void
  ) -> Override? {
    let head = head
    let isFirst = head.used == 0
    let header = Override.valueOffset / Self.wordSize
    var word = Int(head.used)
    if layout.alignment > Self.wordSize {
      // The value is aligned, and its header directly before it.
      let first = unsafe address(ofWord: word + header)
      word += unsafe (first.alignedUp(toMultipleOf: layout.alignment) - first) / Self.wordSize
    }
    let end = word &+ header &+ layout.words
    guard isFirst || end <= head.capacity else { return nil }
    let override = unsafe Override(
      at: address(ofWord: word), key, isTrivial: layout.isTrivial, in: self,
      on: isFirst ? below?.newest : newest)
    if isFirst, let below { _ = Unowned.retaining(below) }
    write(override.memory)
    self.head.newest = UInt8(truncatingIfNeeded: word)
    self.head.used = UInt8(truncatingIfNeeded: min(end, 255))
    return override
  }
}

// MARK: - Being kept by a table

extension OverrideNode {
  /// Returns a node for copies of overrides, of which `count` are to come.
  static func forCopies(_ count: Int, first: Override) -> OverrideNode {
    let room = first.isWatched ? 1 : UInt8(clamping: min(count, Int(longestChain)))
    return make(
      words: words(for: first.exactKey.valueLayout, room: room),
      OverrideNodeHeader(observer: first.observer.map { .retaining($0) }))
  }

  /// Gives the table below to the caller, who must release it. For the last node of a chain.
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

// MARK: - Reading

extension OverrideNode {
  /// The override of a key in this chain and the table below it.
  @inline(__always)
  func findOverride(_ id: ObjectIdentifier, _ hash: KeyHash) -> Override? {
    let head = head
    if head.filter & hash.bit != 0, let found = findInChain(id) { return found }
    return unsafe head.table.unsafelyUnwrapped.borrow { $0.find(id, hash) }
  }

  @inline(__always)
  private func findInChain(_ id: ObjectIdentifier) -> Override? {
    var cursor = newest
    while let override = cursor {
      if override.id == id { return override }
      cursor = override.next
    }
    return nil
  }

  /// Whether every override of this chain has a key of its own.
  var overridesEachKeyOnce: Bool {
    if head.filter.nonzeroBitCount == Int(head.depth) { return true }
    var isOnce = true
    forEachInChainAndShadowed { if findInChain($0.id) != $0 { isOnce = false } }
    return isOnce
  }

  /// Every override of this scope, each in a node of its own.
  var overrides: [KeptOverride] {
    var overrides: [KeptOverride] = []
    forEachOverride { overrides.append($0.copy()) }
    return overrides
  }

  func forEachOverride(_ body: (Override) -> Void) {
    forEachInChain(body)
    table.forEach { override in
      if findInChain(override.id) == nil { body(override) }
    }
  }

  /// Calls `body` with the overrides of this chain, the newest first.
  func forEachInChain(_ body: (Override) -> Void) {
    forEachInChainAndShadowed { override in
      if override.key != nil, findInChain(override.id) == override { body(override) }
    }
  }

  /// The same, with those that newer ones of the same keys shadow.
  @inline(__always)
  func forEachInChainAndShadowed(_ body: (Override) -> Void) {
    var cursor = newest
    while let override = cursor {
      cursor = override.next
      body(override)
    }
  }
}
