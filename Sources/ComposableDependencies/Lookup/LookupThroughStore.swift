extension Dependencies {
  /// Calls `read` with the override or the global value of a key, if there is one.
  ///
  /// - Returns: Otherwise, the key whose default is the value.
  func findThroughStore(
    _ key: any DependencyKey.Type, _ read: (Unowned<Override>) -> Void
  ) -> (any DependencyKey.Type)? {
    // Unowned, because otherwise every reading thread would retain the same scope and store.
    guard let scope = Unowned.optional(node) else {
      if GlobalStore.process.options.contains(.observingReads) { return findObserved(key, read) }
      return GlobalStore.process.find(key, in: nil, override: read, global: read)
    }
    return scope.borrow { scope in
      if scope.unownedStore.borrow({ $0.options.contains(.observingReads) }) {
        return findObserved(key, read)
      }
      if scope.unownedRoot.borrow({ $0.isTracked }) { return findObserved(key, read) }
      var owned: Unowned<Override>?
      let root = scope.unownedStore.borrow { store in
        store.find(key, in: scope) { override in
          if override.isWatched { owned = override }
          read(override)
        } global: {
          read($0)
        }
      }
      // After the lock, because reporting runs user code. The scope keeps its overrides alive.
      owned?.didRead()
      return root
    }
  }

  /// The same, where reads are observed, or in the scope of a `make`.
  private func findObserved(
    _ key: any DependencyKey.Type, _ read: (Unowned<Override>) -> Void
  ) -> (any DependencyKey.Type)? {
    let source = node.source(of: key, isRead: true)
    didRead(key, source)
    switch source {
    case .override(let value), .global(let value):
      withExtendedLifetime(value) { read(Unowned(value)) }
      return nil
    case .nothing(let root): return root  // Observed where the default is computed.
    }
  }

  /// Notifies what observes a read of an override or of a global value.
  func didRead(_ key: any DependencyKey.Type, _ source: InputSource) {
    switch source {
    case .override(let value):
      withExtendedLifetime(value) {
        if Unowned(value).isWatched { Unowned(value).didRead(key) }
      }
    case .global(let value):
      let scope = DependencyScope(node: node)
      if scope.storeOptions.contains(.observingReads) {
        scope.storeObserver?.didRead(key, value)
      }
    case .nothing: break
    }
  }

  /// Notifies what observes a read of something that an instance was made from.
  func didReadInput(_ key: any DependencyKey.Type, _ source: InputSource) {
    didRead(key, source)
    let scope = DependencyScope(node: node)
    if case .nothing(let root) = source, scope.storeOptions.contains(.observingReads) {
      scope.storeObserver?.computeDefault(of: root) {}
    }
  }
}
