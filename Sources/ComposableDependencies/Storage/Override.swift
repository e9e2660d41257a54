/// A value set for a key: in a scope, on top of other overrides, or alone in a global store.
// Unchecked, because a subclass must say again what its superclass is; immutable.
@usableFromInline
final class Override<Value: Sendable>: OverrideNode, @unchecked Sendable {
  @usableFromInline let exactKey: any DependencyKey.Type
  @usableFromInline let value: Value

  @_alwaysEmitIntoClient
  init(_ value: Value, for key: any DependencyKey.Type, on below: OverrideNode?) {
    self.exactKey = key
    self.value = value
    super.init(id: ObjectIdentifier(key), on: below)
  }

  override var key: (any DependencyKey.Type)? { exactKey }

  override func copy(on below: OverrideNode?) -> OverrideNode {
    Override(value, for: exactKey, on: below)
  }

  override func copy(for key: any DependencyKey.Type) -> OverrideNode {
    Override(value, for: key, on: nil)
  }
}
