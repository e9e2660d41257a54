internal import Synchronization

/// One override, in the memory of the node that holds it.
///
/// It doesn't keep the node alive; a ``KeptOverride`` does.
// Unchecked because of the pointer. Its pointee is immutable, apart from an atomic, once other
// threads see it.
@safe
@frozen
@usableFromInline
struct Override: Equatable, @unchecked Sendable {
  /// What precedes the value.
  struct Header: ~Copyable {
    let key: any DependencyKey.Type
    /// The node that holds this, and the bits below.
    private let nodeAddress: UInt
    /// The override below in the chain, or the next that a table keeps.
    var next: Override?
    /// Identifies this override and its copies; see `OverrideIdentity`.
    let identityWord = Atomic<UInt>(0)

    private static let watchedBit: UInt = 1
    private static let trivialBit: UInt = 2

    init(key: any DependencyKey.Type, isTrivial: Bool, node: OverrideNode, next: Override?) {
      self.key = key
      nodeAddress =
        UInt(bitPattern: ObjectIdentifier(node))
        | (node.observer == nil ? 0 : Self.watchedBit) | (isTrivial ? Self.trivialBit : 0)
      self.next = next
    }

    @inline(__always)
    var node: Unowned<OverrideNode> {
      Unowned(address: nodeAddress & ~(Self.watchedBit | Self.trivialBit))
    }

    @inline(__always)
    var isWatched: Bool { nodeAddress & Self.watchedBit != 0 }

    /// Whether the value needs not be destroyed.
    @inline(__always)
    var isTrivial: Bool { nodeAddress & Self.trivialBit != 0 }
  }

  @usableFromInline let address: UnsafeMutableRawPointer

  init(at address: UnsafeMutableRawPointer) {
    unsafe self.address = address
  }

  /// Initializes the memory of an override, apart from its value.
  init(
    at address: UnsafeMutableRawPointer, _ key: any DependencyKey.Type, isTrivial: Bool,
    in node: OverrideNode, on next: Override?
  ) {
    unsafe self.init(at: address)
    unsafe address.bindMemory(to: Header.self, capacity: 1).initialize(
      to: Header(key: key, isTrivial: isTrivial, node: node, next: next))
  }

  /// The distance from the header to the value, regardless of the type of value.
  @_alwaysEmitIntoClient
  @inline(__always)
  static var valueOffset: Int { 40 }

  @inline(__always)
  private var header: UnsafeMutablePointer<Header> {
    unsafe address.assumingMemoryBound(to: Header.self)
  }

  /// The memory of the value.
  @inline(__always)
  var memory: ValueMemory { unsafe ValueMemory(address: address + Self.valueOffset) }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  @inline(__always)
  func value<Value>(as type: Value.Type) -> Value {
    unsafe (address + Self.valueOffset).assumingMemoryBound(to: Value.self).pointee
  }

  @usableFromInline
  static func == (lhs: Override, rhs: Override) -> Bool {
    unsafe lhs.address == rhs.address
  }
}

extension Override {
  /// The key; of what is no override, one that no dependency has.
  @inline(__always)
  var exactKey: any DependencyKey.Type { unsafe header.pointee.key }

  /// The identity of the key.
  @inline(__always)
  var id: ObjectIdentifier { ObjectIdentifier(exactKey) }

  /// The key, if this is an override.
  var key: (any DependencyKey.Type)? { holdsObject ? nil : exactKey }

  /// Whether the value is a record, and not the key's.
  private var holdsObject: Bool { node.borrow { $0.holdsObject } }

  /// The value, if this is an override.
  var anyValue: (any Sendable)? { key?.value(of: self) }

  @inline(__always)
  var next: Override? { unsafe header.pointee.next }

  /// Removes the link to the next override.
  func takeNext() -> Override? { unsafe header.pointee.next.take() }

  func setNext(_ next: Override?) { unsafe header.pointee.next = next }

  /// The node that holds this.
  @inline(__always)
  var node: Unowned<OverrideNode> {
    unsafe header.pointee.node
  }

  @inline(__always)
  func identityWord<R>(_ body: (borrowing Atomic<UInt>) -> R) -> R {
    unsafe body(header.pointee.identityWord)
  }

  /// Retains the node of this override, until somebody releases it.
  func retained() -> Override {
    _ = node.retained()
    return self
  }

  /// Keeps the node of this override alive.
  var kept: KeptOverride { KeptOverride(node: node.object, self) }

  /// Destroys the value, and what precedes it.
  func destroy() {
    if unsafe !header.pointee.isTrivial {
      if holdsObject {
        memory.destroy(AnyObject.self)
      } else {
        exactKey.destroyValue(of: self)
      }
    }
    releaseIdentity()
  }
}

// MARK: - Observers

extension Override {
  /// Whether each read calls ``didRead(_:)``.
  @inline(__always)
  var isWatched: Bool { unsafe header.pointee.isWatched }

  /// Notified of each read; `nil` in most overrides.
  var observer: ReadObserver? { isWatched ? node.borrow { $0.observer?.object } : nil }

  /// Called at each read of a watched override.
  ///
  /// - Parameter key: The key that was read, if it isn't this override's own.
  func didRead(_ key: (any DependencyKey.Type)? = nil) {
    node.borrow { $0.observer }?.borrow { $0.didRead(key ?? exactKey, of: exactKey) }
  }

  /// The owner of this override, if it has one that can end.
  var overrideOwner: (any OverrideOwner)? { (observer as? Ownership)?.owner }

  /// Where this override was set, if that was recorded.
  var origin: Origin? { observer as? Origin }
}

// MARK: - Copying

extension Override {
  /// Returns the same value for a key with the same type of value.
  func copy(for key: any DependencyKey.Type) -> KeptOverride {
    copy(for: key, observer: observer)
  }

  /// The same, with another observer.
  func copy(
    for key: any DependencyKey.Type, observer: ReadObserver?
  ) -> KeptOverride {
    OverrideNode.single(key, layout: key.valueLayout, observer: observer) {
      key.copyValue(of: self, to: $0)
    }
  }

  /// Returns the same override, in a node of its own.
  func copy() -> KeptOverride { copy(for: exactKey) }

  /// Returns the same override with the same identity, on top of `below`.
  func copy(on below: consuming OverrideNode?) -> OverrideNode {
    let key = exactKey
    let scope = OverrideNode.adding(
      key, layout: key.valueLayout, to: below, observer: observer
    ) { key.copyValue(of: self, to: $0) }
    scope.newest!.shareIdentity(of: self)
    return scope
  }
}
