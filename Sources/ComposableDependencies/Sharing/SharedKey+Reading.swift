// Chosen where the compiler knows that a key is shared: they find the instance without entering the
// scope that is read. All other reads get there by `defaultValue`.

extension Dependencies {
  /// The value of a shared key in this scope.
  @_alwaysEmitIntoClient
  public subscript<Key: SharedKey>(key: Key.Type) -> Key.Value {
    get { knownInstance(of: key) ?? value(of: key) }
    set { override(Key.self, with: newValue) }
  }

  @_alwaysEmitIntoClient
  @inline(never)
  func knownInstance<Key: SharedKey>(of key: Key.Type) -> Key.Value? {
    var value: Key.Value?
    findInstance(ObjectIdentifier(Key.self)) { instance in
      value = instance.value(as: Key.Value.self)
    }
    return value
  }

  /// Calls `read` with the override of a shared key, or with its instance, if there is one that can be
  /// found without any code of others.
  @usableFromInline
  func findInstance(_ id: ObjectIdentifier, _ read: (Unowned<Override>) -> Void) {
    guard let scope = Unowned.optional(node) else {
      let owner = StoreOwner.process
      guard owner.store.isPlain(id) else { return }
      owner.instances?.find(id, in: nil, read)
      return
    }
    scope.borrow { $0.findInstance(id, read) }
  }

  /// Calls `read` with the instance of a shared key, if there is one, whatever overrides the key.
  ///
  /// Not while reads are recorded, because what the instance was made from counts as read.
  func findMade(_ id: ObjectIdentifier, _ read: (Unowned<Override>) -> Void) {
    guard let scope = Unowned.optional(node) else {
      if GlobalStore.process.options.contains(.observingReads) { return }
      StoreOwner.process.instances?.find(id, in: nil, read)
      return
    }
    scope.borrow { scope in
      if scope.unownedRoot.borrow({ $0.isTracked }) { return }
      if scope.unownedStore.borrow({ $0.options.contains(.observingReads) }) { return }
      scope.findMade(id, read)
    }
  }
}

extension ScopeNode {
  fileprivate func findInstance(_ id: ObjectIdentifier, _ read: (Unowned<Override>) -> Void) {
    if unownedRoot.borrow({ $0.isTracked }) { return }
    let hash = KeyHash(id)
    guard unownedStore.borrow({ $0.isPlain(id, hash) }) else { return }
    if let override = find(id, hash) {
      if override.isWatched { override.didRead() }
      read(override)
    } else {
      findMade(id, read)
    }
  }

  @inline(__always)
  fileprivate func findMade(_ id: ObjectIdentifier, _ read: (Unowned<Override>) -> Void) {
    unownedRoot.borrow { root in
      root.unownedOwner.borrow { $0.unownedInstances?.borrow { $0.find(id, in: self, read) } }
    }
  }
}

extension GlobalStore {
  /// Whether a key is neither set nor aliased here, and its default is simply that.
  fileprivate func isPlain(_ id: ObjectIdentifier, _ hash: KeyHash) -> Bool {
    !changesDefaults && globalKeys.use(of: id, hash) == .none
  }

  fileprivate func isPlain(_ id: ObjectIdentifier) -> Bool { isPlain(id, KeyHash(id)) }
}

extension DependencyScope {
  /// The value of a shared key in this scope.
  @_alwaysEmitIntoClient
  public subscript<Key: SharedKey>(key: Key.Type) -> Key.Value {
    Dependencies(node: node)[key]
  }
}

extension Dependency {
  /// Reads a shared key that has no property of its own, or that is the dependency itself.
  @_alwaysEmitIntoClient
  public init<Key: SharedKey<Value>>(_ key: Key.Type) {
    node = CurrentScope.node
    read = { $0[key] }
  }
}
