/// The value that overrides a key.
// Unchecked, because a subclass must repeat what its superclass is; immutable.
@usableFromInline
final class Override<Value: Sendable>: OverrideNode, @unchecked Sendable {
  @usableFromInline let value: Value

  /// - Parameter aliasEpoch: The store's epoch, used if there is no node below.
  @_alwaysEmitIntoClient
  init(
    _ value: Value, for key: any DependencyKey.Type, on below: consuming OverrideNode?,
    aliasEpoch: UInt32
  ) {
    self.value = value
    super.init(for: key, on: below, aliasEpoch: aliasEpoch)
  }

  /// An override whose reads are observed.
  init(
    _ value: Value, for key: any DependencyKey.Type, on below: OverrideNode?, aliasEpoch: UInt32,
    observer: ReadObserver?
  ) {
    self.value = value
    super.init(for: key, on: below, aliasEpoch: aliasEpoch, observer: observer)
  }

  /// An override for a table to keep.
  init(
    _ value: Value, for key: any DependencyKey.Type, keptWith next: OverrideNode?,
    observer: ReadObserver? = nil
  ) {
    self.value = value
    super.init(for: key, keptWith: next, observer: observer)
  }

  override var anyValue: (any Sendable)? { value }

  override func copy(on below: OverrideNode?, aliasEpoch: UInt32) -> OverrideNode {
    Override(value, for: exactKey, on: below, aliasEpoch: aliasEpoch, observer: observer)
  }

  override func copy(
    for key: any DependencyKey.Type, keptWith next: OverrideNode?, observer: ReadObserver?
  ) -> OverrideNode {
    Override(value, for: key, keptWith: next, observer: observer)
  }
}
