extension Dependencies {
  /// Overrides a key, and the keys that are aliased to it.
  ///
  /// Not specialized, so that a client's module compiles nothing for each type of value.
  ///
  /// Pass the static type: the metatype of a subclass stands for its superclass, as it does when its
  /// default is computed.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  mutating func override<Value: Sendable>(
    _ key: any DependencyKey<Value>.Type, with value: consuming Value
  ) {
    let id = ObjectIdentifier(key)
    if update == nil, !isAliased(id) { return ScopeNode.add(.make(key, value), to: &node) }
    override(
      with: .make(
        key, value, observer: update?.observer?.observer(of: key, in: DependencyScope(node: node))))
  }

  private func isAliased(_ id: ObjectIdentifier) -> Bool {
    // Unowned, because retaining the node or the store costs more than the rest.
    guard let node = Unowned.optional(node) else {
      return GlobalStore.process.globalKeys.use(of: id) == .isAliased
    }
    return node.borrow { node in
      node.unownedStore.borrow { $0.globalKeys.use(of: id) == .isAliased }
    }
  }

  /// Sets an override for its key and for the keys that are aliased to it.
  mutating func override(with override: Override) {
    for key in node.store.aliasedKeys(with: override.id) ?? [override.key] {
      let override = key == override.key ? override : override.copy(for: key)
      update?.didSet(override)
      ScopeNode.add(override, to: &node)
    }
  }
}
