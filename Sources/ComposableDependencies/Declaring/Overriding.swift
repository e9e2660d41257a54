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
    guard let epoch = aliasEpoch(unlessAliased: ObjectIdentifier(key)) else {
      return overrideAll(OverrideNode.single(key, layout: layout, write))
    }
    node = OverrideNode.adding(key, layout: layout, to: node.take(), aliasEpoch: epoch, write)
  }

  /// The alias epoch for a scope that begins now; `nil` if the key may be aliased, or if this scope
  /// tracks its own overrides.
  private func aliasEpoch(unlessAliased id: ObjectIdentifier) -> UInt32? {
    guard let node = Unowned.optional(node) else {
      return GlobalStore.process.aliasEpoch(unlessAliased: id)
    }
    return node.borrow { node in
      node.isMarked
        ? nil : node.unownedStore.borrow { $0.aliasEpoch(unlessAliased: id) }
    }
  }

  private mutating func overrideAll(_ override: KeptOverride) {
    let epoch = node.store.aliasEpoch
    let override = node.marks?.update?.record(override, in: node) ?? override
    for override in override.copies(forKeysAliasedIn: node.store) {
      if let marked = node.marks {
        node = marked.adding(override, aliasEpoch: epoch).node
      } else {
        node = override.copy(on: node, aliasEpoch: epoch)
      }
    }
  }
}

extension GlobalStore {
  // Read the epoch first, so that an alias declared meanwhile never seems older.
  fileprivate func aliasEpoch(unlessAliased id: ObjectIdentifier) -> UInt32? {
    let epoch = aliasEpoch
    return globalKeys.use(of: id) == .isAliased ? nil : epoch
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
