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
    if isPlain(ObjectIdentifier(key)) { return ScopeNode.add(.make(key, value), to: &node) }
    let scope = DependencyScope(node: node)
    let observer = scope.updateObserver?.observer(of: key, in: scope)
    override(with: .make(key, value, observer: observer))
  }

  /// Whether nothing needs to be known to override a key.
  private func isPlain(_ id: ObjectIdentifier) -> Bool {
    func isPlain(_ store: GlobalStore) -> Bool {
      store.globalKeys.use(of: id) != .isAliased && !store.options.contains(.observingUpdates)
    }
    // Unowned, because retaining the node or the store costs more than the rest.
    guard let node = Unowned.optional(node) else { return isPlain(.process) }
    return node.borrow { $0.unownedStore.borrow(isPlain) }
  }

  /// Sets an override for its key and for the keys that are aliased to it.
  mutating func override(with override: Override) {
    for key in node.store.aliasedKeys(with: override.id) ?? [override.key] {
      ScopeNode.add(key == override.key ? override : override.copy(for: key), to: &node)
    }
  }
}

// MARK: - Updating

extension ScopeNode? {
  /// Returns a scope with more overrides.
  @_alwaysEmitIntoClient
  @inline(__always)
  consuming func updated(
    fileID: StaticString, line: UInt, _ update: (inout Dependencies) -> Void
  ) -> ScopeNode? {
    var dependencies = Dependencies(node: self)
    if dependencies.isObserved {
      dependencies.observe(fileID: fileID, line: line, update)
    } else {
      update(&dependencies)
    }
    return dependencies.node
  }
}

extension DependencyScope {
  /// Returns a scope with more overrides, which are set at a place.
  package func with(
    at place: SourceLocation, _ update: (inout Dependencies) -> Void
  ) -> DependencyScope {
    var dependencies = Dependencies(node: node)
    dependencies.observe(at: place, update)
    return DependencyScope(node: dependencies.node)
  }

  /// What watches updates of this scope.
  fileprivate var updateObserver: (any ScopeObserver)? {
    storeOptions.contains(.observingUpdates) ? storeObserver : nil
  }
}

extension Dependencies {
  /// Whether updates of this scope are watched.
  @usableFromInline
  var isObserved: Bool {
    // Not unwrapped, because that would retain it.
    let options =
      Unowned.optional(node)?.borrow { $0.unownedStore.borrow { $0.options } }
      ?? GlobalStore.process.options
    return options.contains(.observingUpdates)
  }

  @usableFromInline
  mutating func observe(
    fileID: StaticString, line: UInt, _ update: (inout Dependencies) -> Void
  ) {
    observe(at: SourceLocation(fileID: fileID, line: line), update)
  }

  /// Sets dependencies, while somebody may watch.
  fileprivate mutating func observe(
    at place: SourceLocation, _ update: (inout Dependencies) -> Void
  ) {
    let scope = DependencyScope(node: node)
    guard let observer = scope.updateObserver else { return update(&self) }
    observer.update(scope, at: place) { update(&self) }
  }
}
