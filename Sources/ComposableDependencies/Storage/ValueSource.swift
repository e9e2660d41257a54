/// Where a scope gets a key's value.
package enum ValueSource: Sendable {
  case override(Override)
  case global(Override)
  /// Neither has one; the default of this key is read.
  case defaultValue(of: any DependencyKey.Type)

  /// Identifies the override, the global value or the default, as long as this is kept.
  package var identity: ObjectIdentifier {
    switch self {
    case .override(let value), .global(let value): ObjectIdentifier(value)
    case .defaultValue(let key): ObjectIdentifier(key)
    }
  }
}

// MARK: - The decision

extension GlobalStore {
  /// Calls `body` with where a scope gets a key's value, in one consistent state of this store.
  ///
  /// Not generic, because generic code would cost more than the rest.
  // Not inlined, as others that search: copies in each caller, with their closures, made up half of the
  // module.
  @inline(never)
  func find(
    _ key: any DependencyKey.Type, in scope: Unretained<ScopeNode>?, _ body: (FoundSource) -> Void
  ) {
    let (id, hash) = (ObjectIdentifier(key), KeyHash(ObjectIdentifier(key)))
    let use = globalKeys.use(of: id, hash)
    // Without a lock, if the store knows nothing of the key, or the scope decides.
    if use != .isAliased, let override = scope?.find(id, hash) {
      body(.override(override))
    } else if use == .none {
      body(.defaultValue(of: key))
    } else {
      findLocked(key, mayBeAliased: use == .isAliased, in: scope, body)
    }
  }
}

extension ScopeNode? {
  /// Calls `body` with where this scope gets a key's value; this alone decides it.
  ///
  /// `body` may run under a lock, so that no two threads retain the owner of the same value: it may
  /// only copy the value out. This frees nothing, so its caller may hold a lock.
  func find(_ key: any DependencyKey.Type, _ body: (FoundSource) -> Void) {
    let scope = unretained
    guard let probe = scope.root.borrow({ $0.probe }) else {
      return scope.store.borrow { $0.find(key, in: scope, body) }
    }
    let store = store
    var isOverridden = false
    store.find(key, in: scope) {
      guard case .override = $0 else { return }
      isOverridden = true
      body($0)
    }
    if !isOverridden { probe.find(key, over: store, body) }
  }

  /// Where this scope gets a key's value.
  func source(of key: any DependencyKey.Type) -> ValueSource {
    var source: ValueSource?
    find(key) { source = $0.retained }
    return source!
  }
}

extension GlobalStore {
  /// Where a scope without overrides gets a key's value.
  func source(of key: any DependencyKey.Type) -> ValueSource {
    var source: ValueSource?
    find(key, in: nil) { source = $0.retained }
    return source!
  }
}

// MARK: - Watched reads

extension ScopeNode? {
  /// Where this scope gets a key's value, for a read, of which watchers are notified.
  ///
  /// - Parameter reader: The function that reads the key.
  func readSource(of key: any DependencyKey.Type, by reader: StaticString) -> ValueSource {
    let source = source(of: key)
    didRead(key, by: reader, from: source)
    return source
  }

  /// Notifies what watches a read.
  func didRead(_ key: any DependencyKey.Type, by reader: StaticString, from source: ValueSource) {
    if let probe = root.probe, !hasOverride(source),
      probe.didRead(key, by: reader, from: source)
    {
      return
    }
    if case .override(let value) = source {
      if !value.isObserved { return }
      if let owner = value.owner { return owner.readAfterEnd(value.key) }
    }
    guard isWatched, let watcher = store.watcher else { return }
    if case .defaultValue(let root) = source, root != key {
      watcher.didRead(Read(root, from: source, in: self))
    } else {
      watcher.didRead(Read(key, by: reader, from: source, in: self))
    }
  }

  /// Whether this scope itself has the override that is a source.
  private func hasOverride(_ source: ValueSource) -> Bool {
    guard case .override(let value) = source else { return false }
    return withExtendedLifetime((self, value)) { unretained.find(value.id) == Unretained(value) }
  }
}
