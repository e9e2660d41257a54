internal import Synchronization

/// One value of one key.
///
/// An override is immutable and never copied, so its address is its identity. It is a buffer whose
/// elements are the memory of the value. Its word is 0 in most overrides; otherwise it is the address
/// of an ``OverrideAttachment``, plus 1 if that has an observer.
// Unchecked because of the buffer. Immutable, apart from the atomic word.
@safe
@usableFromInline
package final class Override: Buffer, @unchecked Sendable {
  struct Header {
    let key: any DependencyKey.Type
    /// `nil` if there is nothing to do to destroy the value.
    let valueType: Any.Type?
  }

  typealias Element = UInt

  // Not specialized, so that it is compiled once.
  @_semantics("optimize.sil.specialize.generic.never")
  package static func make<Value: Sendable>(
    _ key: any DependencyKey.Type, _ value: consuming Value, observer: (any ReadObserver)? = nil
  ) -> Override {
    let alignment = MemoryLayout<Value>.alignment
    let size = MemoryLayout<Value>.size &+ (alignment > 16 ? alignment : 0)
    let header = Header(key: key, valueType: _isPOD(Value.self) ? nil : Value.self)
    let override = make(header, count: (size &+ 7) / 8)
    unsafe valueAddress(in: Unowned(override), Value.self).initialize(to: value)
    if let observer { _ = override.attach(OverrideAttachment(observer: observer)) }
    return override
  }

  deinit {
    if let type = head.valueType { destroyValue(type) }
    attachment?.release()
  }

  private func destroyValue<Value>(_ type: Value.Type) {
    unsafe Self.valueAddress(in: Unowned(self), Value.self).deinitialize(count: 1)
  }

  /// The address of the value, regardless of its type, unless its alignment is exceptional.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func valueAddress<Value>(
    in override: Unowned<Override>, _: Value.Type
  ) -> UnsafeMutablePointer<Value> {
    let address = unsafe override.reference.toOpaque() + 48
    return MemoryLayout<Value>.alignment <= 16
      ? unsafe address.assumingMemoryBound(to: Value.self)
      : unsafe address.alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
  }
}

extension Unowned<Override> {
  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  @inline(__always)
  func value<Value>(as type: Value.Type) -> Value {
    unsafe Override.valueAddress(in: self, Value.self).pointee
  }

  @inline(__always)
  var key: any DependencyKey.Type { self.borrow { $0.head.key } }

  @inline(__always)
  var id: ObjectIdentifier { ObjectIdentifier(key) }

  /// Whether each read calls ``didRead(_:)``.
  @inline(__always)
  var isWatched: Bool { self.borrow { $0.word { $0.load(ordering: .relaxed) } } & 1 != 0 }

  /// Called at each read of a watched override.
  ///
  /// - Parameter key: The key that was read, if it isn't this override's own.
  func didRead(_ key: (any DependencyKey.Type)? = nil) {
    self.borrow { override in
      override.attachment?.borrow { $0.didRead(key ?? self.key, of: self.key) }
    }
  }
}

extension Override {
  package var key: any DependencyKey.Type { head.key }

  package var id: ObjectIdentifier { ObjectIdentifier(key) }

  package var anyValue: any Sendable { key.value(of: self) }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  package func value<Value>(as type: Value.Type) -> Value {
    withExtendedLifetime(self) { Unowned(self).value(as: type) }
  }

  /// Returns the same value for a key with the same type of value.
  func copy(for key: any DependencyKey.Type) -> Override { key.copy(of: self) }

  /// Notified of each read; `nil` in most overrides.
  package var observer: (any ReadObserver)? {
    withExtendedLifetime(self) { attachment?.object.observer }
  }
}

extension DependencyKey {
  fileprivate static func value(of override: Override) -> any Sendable {
    override.value(as: Value.self)
  }

  fileprivate static func copy(of override: Override) -> Override {
    .make(Self.self, override.value(as: Value.self), observer: override.observer)
  }
}

// MARK: - What belongs to an override

/// What belongs to an override, and is released with it.
final class OverrideAttachment: Sendable {
  let observer: (any ReadObserver)?
  /// From when on the observer is notified; `nil` if it is from the beginning on.
  private let end: OverrideEnd?
  /// What another module keeps for as long as the override lives.
  fileprivate let other = Mutex<(any AnyObject & Sendable)?>(nil)

  init(observer: (any ReadObserver)?) {
    self.observer = observer
    end = (observer as? any OverrideOwner)?.end
  }

  @inline(__always)
  fileprivate func didRead(
    _ key: any DependencyKey.Type, of override: any DependencyKey.Type
  ) {
    if let hasCome = Unowned.optional(end)?.borrow({ $0.hasCome }), !hasCome { return }
    observer?.didRead(key, of: override)
  }
}

extension Override {
  @inline(__always)
  fileprivate var attachment: Unowned<OverrideAttachment>? {
    let address = word { $0.load(ordering: .acquiring) } & ~1
    return address == 0 ? nil : Unowned(address: address)
  }

  /// What another module keeps for as long as this override lives.
  package func attached(
    makingOne make: () -> any AnyObject & Sendable
  ) -> any AnyObject & Sendable {
    let present = withExtendedLifetime(self) { attachment?.object }
    return (present ?? attach(OverrideAttachment(observer: nil))).other.withLock {
      other -> any AnyObject & Sendable in
      let object = other ?? make()
      other = object
      return object
    }
  }

  /// Attaches an object unless there is one already, and returns the one that is attached.
  private func attach(_ new: OverrideAttachment) -> OverrideAttachment {
    let retained = Unowned.retaining(new)
    let (isFirst, _) = word {
      $0.compareExchange(
        expected: 0, desired: retained.address | (new.observer == nil ? 0 : 1),
        ordering: .acquiringAndReleasing)
    }
    if isFirst { return new }
    retained.release()
    return attachment!.object
  }
}
