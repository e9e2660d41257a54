extension DependencyScope {
  /// Returns a scope with one more override, owned by something that can end.
  package func with<Key: DependencyKey>(
    _ key: Key.Type, _ value: Key.Value, owner: any OverrideOwner
  ) -> DependencyScope {
    var node = node
    for key in node.store.aliasedKeys(with: ObjectIdentifier(key)) ?? [key] {
      ScopeNode.add(.make(key, value, observer: owner), to: &node)
    }
    return DependencyScope(node: node)
  }

  /// The source of a dependency's value in a scope.
  package enum Setting {
    case override(owner: (any OverrideOwner)?)
    case global
    case nothing
  }

  /// Returns the source of a key's value in this scope.
  package func setting<Key: DependencyKey>(of key: Key.Type) -> Setting {
    switch node.source(of: key, isRead: true) {
    case .override(let override): return .override(owner: override.observer as? any OverrideOwner)
    case .global: return .global
    case .nothing: return .nothing
    }
  }

  /// Whether keys without a value read their test value.
  package var readsTestValues: Bool { node.store.options.contains(.testValues) }
}
