/// The value that overrides a key.
// Unchecked, because a subclass must repeat what its superclass is; immutable.
@usableFromInline
class Override<Value: Sendable>: OverrideNode, @unchecked Sendable {
  @usableFromInline final let exactKey: any DependencyKey.Type
  @usableFromInline final let value: Value

  /// - Parameter aliasEpoch: The store's epoch, used if there is no node below.
  @_alwaysEmitIntoClient
  init(
    _ value: Value, for key: any DependencyKey.Type, on below: consuming OverrideNode?,
    aliasEpoch: UInt32
  ) {
    self.exactKey = key
    self.value = value
    super.init(id: ObjectIdentifier(key), on: below, aliasEpoch: aliasEpoch)
  }

  /// An override that learns of each of its reads.
  init(
    watched value: Value, for key: any DependencyKey.Type, on below: OverrideNode?,
    aliasEpoch: UInt32
  ) {
    self.exactKey = key
    self.value = value
    super.init(id: ObjectIdentifier(key), on: below, aliasEpoch: aliasEpoch, isWatched: true)
  }

  /// An override for a table to keep.
  init(
    _ value: Value, for key: any DependencyKey.Type, keptWith next: OverrideNode?,
    isWatched: Bool = false
  ) {
    self.exactKey = key
    self.value = value
    super.init(id: ObjectIdentifier(key), keptWith: next, isWatched: isWatched)
  }

  override var key: (any DependencyKey.Type)? { exactKey }

  override var anyValue: (any Sendable)? { value }

  override func recorded(as origin: Origin) -> OverrideNode {
    RecordedValue(value, for: exactKey, from: origin, keptWith: nil)
  }

  override func copy(keptWith next: OverrideNode?) -> OverrideNode {
    Override(value, for: exactKey, keptWith: next)
  }

  override func copy(on below: OverrideNode?, aliasEpoch: UInt32) -> OverrideNode {
    Override(value, for: exactKey, on: below, aliasEpoch: aliasEpoch)
  }

  override func copy(for key: any DependencyKey.Type) -> OverrideNode {
    Override(value, for: key, keptWith: nil)
  }
}
