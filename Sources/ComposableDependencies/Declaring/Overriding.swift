extension Dependencies {
  /// Overrides a key, and the keys that are aliased to it.
  ///
  /// Pass the static type: the metatype of a subclass stands for its superclass, as it does when its
  /// default is computed.
  @_alwaysEmitIntoClient
  mutating func override<Value: Sendable>(
    _ key: any DependencyKey<Value>.Type, with value: Value
  ) {
    guard let epoch = aliasEpoch(unlessAliased: ObjectIdentifier(key)) else {
      return overrideAll(Override(value, for: key, on: nil, aliasEpoch: 0))
    }
    let below = node.take()
    node = Override(value, for: key, on: below, aliasEpoch: epoch)
  }

  /// The alias epoch for a scope that begins now; `nil` if the key may be aliased, or if this scope
  /// tracks its own overrides.
  @usableFromInline
  func aliasEpoch(unlessAliased id: ObjectIdentifier) -> UInt32? {
    guard let node = Unowned.optional(node) else {
      return GlobalStore.process.aliasEpoch(unlessAliased: id)
    }
    return node.borrow { node in
      node.id == MarkedScope.identity
        ? nil : node.unownedStore.borrow { $0.aliasEpoch(unlessAliased: id) }
    }
  }

  @usableFromInline
  mutating func overrideAll(_ override: OverrideNode) {
    let epoch = node.store.aliasEpoch
    let override = node.marks?.update?.record(override, in: node) ?? override
    for override in override.copies(forKeysAliasedIn: node.store) {
      if let marked = node.marks {
        node = marked.adding(override)
      } else {
        node = override.copy(on: node, aliasEpoch: epoch).sharingIdentity(of: override)
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

extension OverrideNode {
  /// This override, for each of the keys that are aliased to its own.
  final func copies(forKeysAliasedIn store: GlobalStore) -> [OverrideNode] {
    guard let keys = store.aliasedKeys(with: id) else { return [self] }
    prepareIdentity(forCopiesFor: keys)
    return keys.map { copy(for: $0).sharingIdentity(of: self) }
  }
}
