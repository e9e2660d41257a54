/// What a scope itself knows about a key.
@usableFromInline
enum Lookup {
  /// Alive as long as the scope.
  case override(Unowned<Override>)
  /// The default. The scope is the current one, so the default is computed right here.
  case defaultOfCurrentScope
  /// The default, which must be computed in the scope that is read.
  case defaultOfAnotherScope
  /// The global store may know more.
  case throughStore
}

extension Dependencies {
  /// The value of a key in this scope: an override, a global value, or a default.
  ///
  /// Without closures and transparent, because a client's module compiles it for each key.
  @_alwaysEmitIntoClient
  @_transparent
  func value<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let found = lookUp(ObjectIdentifier(Key.self))
    switch found {
    case .override(let override):
      // Sound: an override with the key's identity has the key's type of value.
      let value = override.value(as: Key.Value.self)
      // The scope owns its overrides, so it must outlive the read of one.
      withExtendedLifetime(node) {}
      return value
    case .defaultOfCurrentScope:
      #if DEBUG
        return DefaultCycle.check(Key.self) { Key.defaultValue }
      #else
        return Key.defaultValue
      #endif
    case .defaultOfAnotherScope, .throughStore:
      return rareValue(of: Key.self, found)
    }
  }

  @usableFromInline
  func lookUp(_ id: ObjectIdentifier) -> Lookup {
    guard let node = Unowned.optional(node) else { return Self.lookUpOutsideAnyScope(id) }
    return node.borrow { $0.lookUp(id) }
  }

  private static func lookUpOutsideAnyScope(_ id: ObjectIdentifier) -> Lookup {
    let store = GlobalStore.process
    if store.globalKeys.use(of: id) != .none { return .throughStore }
    return !store.changesDefaults && CurrentScope.isCurrent(nil)
      ? .defaultOfCurrentScope : .defaultOfAnotherScope
  }
}

extension ScopeNode {
  @inline(never)
  fileprivate func lookUp(_ id: ObjectIdentifier) -> Lookup {
    let hash = KeyHash(id)
    return unownedStore.borrow { store in
      let use = store.globalKeys.use(of: id, hash)
      if use == .isAliased { return .throughStore }
      if let override = find(id, hash) {
        if override.isWatched { override.didRead() }
        return .override(override)
      }
      if use == .isSet { return .throughStore }
      let concerns = unownedRoot.borrow { $0.concerns }
      if concerns.isDisjoint(with: store.options.union(.tracked)) {
        return CurrentScope.isCurrent(self) ? .defaultOfCurrentScope : .defaultOfAnotherScope
      }
      return concerns.contains(.tracked) ? .throughStore : .defaultOfAnotherScope
    }
  }
}
