/// One value of one key.
///
/// An override is immutable and never copied, so its address is its identity.
// Unchecked, because it has a subclass: the one in this file, which is sendable.
@usableFromInline
package class Override: @unchecked Sendable {
  package let key: any DependencyKey.Type
  /// What watches its reads; `nil` in most overrides.
  private let watching: OverrideWatching?
  private let attachment = SetOnce<any AnyObject & Sendable>()

  @usableFromInline
  init(_ key: any DependencyKey.Type) {
    self.key = key
    watching = nil
  }

  fileprivate init(
    _ key: any DependencyKey.Type, owner: OverrideOwner?, record: (any AnyObject & Sendable)?
  ) {
    self.key = key
    watching = owner == nil && record == nil ? nil : OverrideWatching(owner, record)
  }

  package static func make<Value: Sendable>(
    _ key: any DependencyKey.Type, _ value: consuming Value, owner: OverrideOwner? = nil
  ) -> Override {
    OverrideOf(key, value, owner: owner, record: nil)
  }

  package var anyValue: any Sendable { fatalError("overridden") }

  /// Returns the same value for a key with the same type of value.
  func copy(
    for key: any DependencyKey.Type, record: (any AnyObject & Sendable)?
  ) -> Override { fatalError("overridden") }
}

/// An override whose value has a type.
///
/// The plain form is a value of type `any Sendable`: a read of an override takes three times as long,
/// because it casts.
// Unchecked, because its superclass is.
@_fixed_layout
@usableFromInline
final class OverrideOf<Value: Sendable>: Override, @unchecked Sendable {
  @usableFromInline let value: Value

  // A client's module compiles this for each type of value, without the rest.
  @inlinable
  init(_ key: any DependencyKey.Type, _ value: consuming Value) {
    self.value = value
    super.init(key)
  }

  fileprivate init(
    _ key: any DependencyKey.Type, _ value: consuming Value, owner: OverrideOwner?,
    record: (any AnyObject & Sendable)?
  ) {
    self.value = value
    super.init(key, owner: owner, record: record)
  }

  package override var anyValue: any Sendable { value }

  override func copy(
    for key: any DependencyKey.Type, record: (any AnyObject & Sendable)?
  ) -> Override { OverrideOf(key, value, owner: owner, record: record) }
}

extension Override {
  package var id: ObjectIdentifier { ObjectIdentifier(key) }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  package func value<Value: Sendable>(as type: Value.Type) -> Value {
    // Sound: only `OverrideOf` subclasses this.
    unsafe unsafeDowncast(self, to: OverrideOf<Value>.self).value
  }

  func copy(for key: any DependencyKey.Type) -> Override { copy(for: key, record: record) }

  /// What it belongs to; `nil` in most overrides.
  package var owner: OverrideOwner? { watching?.owner }

  /// What the store's watcher keeps about it.
  package var record: (any AnyObject & Sendable)? { watching?.record }

  /// Whether a read must be noticed.
  var isObserved: Bool {
    Unretained.optional(watching)?.borrow { watching in
      Unretained.optional(watching.owner)?.borrow { $0.hasEnded } ?? true
    } ?? false
  }

  /// What another module keeps for as long as this override lives.
  package func attached(
    makingOne make: () -> any AnyObject & Sendable
  ) -> any AnyObject & Sendable {
    (attachment.object ?? attachment.set(make())).object
  }
}

extension Unretained<Override> {
  var key: any DependencyKey.Type { self.borrow { $0.key } }

  var id: ObjectIdentifier { self.borrow { $0.id } }

  var isObserved: Bool { self.borrow { $0.isObserved } }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  func value<Value: Sendable>(as type: Value.Type) -> Value { self.borrow { $0.value(as: type) } }
}

private final class OverrideWatching: Sendable {
  let owner: OverrideOwner?
  let record: (any AnyObject & Sendable)?

  init(_ owner: OverrideOwner?, _ record: (any AnyObject & Sendable)?) {
    self.owner = owner
    self.record = record
  }
}
