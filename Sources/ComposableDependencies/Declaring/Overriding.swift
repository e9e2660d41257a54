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
    _ key: any DependencyKey<Value>.Type, with value: Value
  ) {
    override(key, layout: ValueLayout(of: Value.self)) { $0.initialize(to: value) }
  }

  private mutating func override(
    _ key: any DependencyKey.Type, layout: ValueLayout, _ write: (ValueMemory) -> Void
  ) {
    if update != nil || isAliased(ObjectIdentifier(key)) {
      return overrideAll(OverrideNode.single(key, layout: layout, write))
    }
    node = OverrideNode.adding(key, layout: layout, to: node.take(), write)
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

  /// Sets an override for its key, and for the keys that are aliased to it.
  mutating func overrideAll(_ override: KeptOverride) {
    let override = update?.willSet(override, in: node) ?? override
    for override in override.copies(forKeysAliasedIn: node.store) {
      update?.didSet(override)
      node = override.copy(on: node.take())
    }
  }
}

extension KeptOverride {
  /// This override, for each of the keys that are aliased to its own.
  func copies(forKeysAliasedIn store: GlobalStore) -> [KeptOverride] {
    guard let keys = store.aliasedKeys(with: id) else { return [self] }
    prepareIdentity(forCopiesFor: keys)
    return keys.map { copy(for: $0) }
  }
}
