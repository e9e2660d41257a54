internal import Synchronization

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
    /// 0 in most overrides; otherwise the address of an ``OverrideAttachment``, plus 1 if that has a
    /// watcher.
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
    _ key: any DependencyKey.Type, _ value: consuming Value, watcher: (any ReadWatcher)? = nil
  ) -> Override {
    let override = makeRetained(key, value).takeRetained()
    if let watcher { _ = override.attach(OverrideAttachment(watcher: watcher)) }
    return override
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
    unsafe override.head.initialize(
      to: Head(key: key, valueType: _isPOD(Value.self) ? nil : Value.self))
    unsafe override.valueAddress(Value.self).initialize(to: value)
    return override
  }

  deinit {
    let memory = Unretained(self)
    if let type = unsafe memory.head.pointee.valueType { destroyValue(type) }
    memory.attachment?.release()
  }

  private func destroyValue<Value>(_ type: Value.Type) {
    unsafe Unretained(self).valueAddress(Value.self).deinitialize(count: 1)
  }
}

extension Unretained<Override> {
  @_transparent
  fileprivate var head: UnsafeMutablePointer<Override.Head> {
    unsafe (reference.toOpaque() + Override.Head.layout.head)
      .assumingMemoryBound(to: Override.Head.self)
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
  var key: any DependencyKey.Type { unsafe head.pointee.key }

  @_transparent
  var id: ObjectIdentifier { ObjectIdentifier(key) }

  /// Whether a read must call ``didRead(_:by:in:)``.
  @_transparent
  var isWatched: Bool {
    unsafe head.pointee.attachment.load(ordering: .relaxed) & 1 != 0 && isWatching
  }

  @inline(never)
  private var isWatching: Bool { attachment!.borrow { $0.isWatching } }

  /// Called at each read of a watched override.
  ///
  /// - Parameter key: The key that was read, if it isn't this override's own.
  func didRead(
    _ key: (any DependencyKey.Type)? = nil, by reader: StaticString = "", in scope: ScopeNode?
  ) {
    guard let watcher = attachment?.object.watcher else { return }
    watcher.didRead(Read(key ?? self.key, by: reader, from: .override(object), in: scope))
  }

  @_transparent
  fileprivate var attachment: Unretained<OverrideAttachment>? {
    let address = unsafe head.pointee.attachment.load(ordering: .acquiring) & ~1
    return address == 0 ? nil : Unretained<OverrideAttachment>(address: address)
  }
}

extension Override {
  package var key: any DependencyKey.Type {
    withExtendedLifetime(self) { Unretained(self).key }
  }

  package var id: ObjectIdentifier { ObjectIdentifier(key) }

  package var anyValue: any Sendable { key.value(of: self) }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  package func value<Value>(as type: Value.Type) -> Value {
    withExtendedLifetime(self) { Unretained(self).value(as: type) }
  }

  /// Returns the same value for a key with the same type of value.
  func copy(for key: any DependencyKey.Type) -> Override { key.copy(of: self) }

  /// Notified of each read; `nil` in most overrides.
  package var watcher: (any ReadWatcher)? {
    withExtendedLifetime(self) { Unretained(self).attachment?.object.watcher }
  }
}

extension DependencyKey {
  fileprivate static func value(of override: Override) -> any Sendable {
    override.value(as: Value.self)
  }

  fileprivate static func copy(of override: Override) -> Override {
    .make(Self.self, override.value(as: Value.self), watcher: override.watcher)
  }
}

// MARK: - What belongs to an override

/// What belongs to an override, and is released with it.
final class OverrideAttachment: Sendable {
  let watcher: (any ReadWatcher)?
  /// The end of a watcher that owns the override, which isn't notified of reads before it.
  private let end: OwnerEnd?
  /// What another module keeps for as long as the override lives.
  fileprivate let other = Mutex<(any AnyObject & Sendable)?>(nil)

  init(watcher: (any ReadWatcher)?) {
    self.watcher = watcher
    end = (watcher as? any OverrideOwner)?.end
  }

  @inline(__always)
  fileprivate var isWatching: Bool {
    Unretained.optional(end)?.borrow { $0.isReached } ?? true
  }
}

extension Override {
  /// What another module keeps for as long as this override lives.
  package func attached(
    makingOne make: () -> any AnyObject & Sendable
  ) -> any AnyObject & Sendable {
    let present = withExtendedLifetime(self) { Unretained(self).attachment?.object }
    return (present ?? attach(OverrideAttachment(watcher: nil))).other.withLock {
      other -> any AnyObject & Sendable in
      let object = other ?? make()
      other = object
      return object
    }
  }

  /// Attaches an object unless there is one already, and returns the one that is attached.
  private func attach(_ new: OverrideAttachment) -> OverrideAttachment {
    withExtendedLifetime(self) {
      let memory = Unretained(self)
      let retained = Unretained.retaining(new)
      let (isFirst, _) = unsafe memory.head.pointee.attachment.compareExchange(
        expected: 0, desired: retained.address | (new.watcher == nil ? 0 : 1),
        ordering: .acquiringAndReleasing)
      if isFirst { return new }
      retained.release()
      return memory.attachment!.object
    }
  }
}
