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
  var oldest: Override? {
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
struct OverrideNodeHeader {
  /// The table below this chain.
  ///
  /// Owned by the last node of the chain, so that the others need not retain it. A node that a table
  /// keeps has none.
  var table: Unowned<OverrideTable>?
  /// Notified of each read, and owned by the node; `nil` in most.
  var observer: Unowned<ReadObserver>?
  /// The bits of the keys that this chain overrides.
  var filter: UInt64 = 0
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
  var head: OverrideNodeHeader {
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
  func address(ofWord word: Int) -> UnsafeMutableRawPointer {
    unsafe buffer.withUnsafeMutablePointerToElements {
      unsafe UnsafeMutableRawPointer($0 + 1 + word)
    }
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

  /// Notified of each read of this node's override.
  @inline(__always)
  var observer: Unowned<ReadObserver>? { head.observer }

  /// Whether this is a scope that a table stands for, with no override on top.
  var isBare: Bool { head.used == 0 }

  /// Whether there is no override in this scope.
  var overridesNothing: Bool { isBare && unownedTable.borrow { $0.isEmpty } }

  /// Whether this holds an object instead of overrides: a record.
  @inline(__always)
  var holdsObject: Bool { head.holdsObject }

  /// Returns a node without overrides.
  ///
  /// - Parameter words: How many words there are for overrides.
  static func make(words: Int, _ header: OverrideNodeHeader) -> OverrideNode {
    let buffer = ManagedBufferPointer<OverrideNodeHeader, UInt>(
      bufferClass: OverrideNode.self, minimumCapacity: 1 + words
    ) { _, _ in header }
    // Sound: the buffer is an instance of this class.
    let node = unsafe unsafeDowncast(buffer.buffer, to: OverrideNode.self)
    node.head.capacity = UInt8(clamping: words)
    unsafe node.takenOver.initialize(to: Atomic(nil))
    return node
  }
}
