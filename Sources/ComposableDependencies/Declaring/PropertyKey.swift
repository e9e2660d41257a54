/// Finds the key that a property of ``Dependencies`` reads and sets.
enum PropertyKey {
  static let known = KeyPathCache<any DependencyKey.Type>()

  /// The key that a property reads and sets, if it is one of the same type.
  ///
  /// Sets the property to its own value, in a scope without overrides. Does so in a single
  /// mutation, because an assignment through a key path would compute the default again, and once
  /// per place in the source, so that not every alias computes a default.
  static func of<Value>(
    _ keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    if let key = known[keyPath] { return key }
    let scratch = ScopeNode.bare(over: ScopeRoot(GlobalStore(usesTestValues: false)))
    var dependencies = Dependencies(node: scratch)
    readAndSet(&dependencies[keyPath: keyPath])
    let overrides = dependencies.node.overrides
    guard
      overrides.count == 1, case let key = overrides[0].key, valueType(of: key) == Value.self
    else { return nil }
    known.remember(key, of: keyPath)
    return key
  }

  private static func readAndSet<Value>(_ value: inout Value) {}

  private static func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }
}
