// What other modules of this package see of a scope.

extension DependencyScope {
  /// Identifies this snapshot among all that exist.
  package var identity: UInt { Unretained.address(of: node) }

  /// Whether this scope was built outside any scope, by a task or thread that lost its own.
  package var isLost: Bool { node.isLost }
}

extension DependencyScope {
  /// Every override of this scope.
  package var overrides: [Override] { node.overrides }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  package func overrides(addedTo scope: DependencyScope) -> [Override] {
    node.overrides(addedTo: scope.node)
  }

  /// The override that was set last, if it is known.
  package var newestOverride: Override? { node.newest }

  /// Every value of this scope's global store.
  package var globalValues: [Override] { node.store.values }

  /// Where this scope gets a key's value.
  package func source(of key: any DependencyKey.Type) -> ValueSource {
    node.source(of: key, readBy: nil)
  }

  /// Where a scope without overrides, over the same global store, gets a key's value.
  package func globalSource(of key: any DependencyKey.Type) -> ValueSource {
    node.store.source(of: key)
  }

  /// Identifies where this scope gets a key's value, and frees nothing.
  ///
  /// - Parameter isWatched: Set to `true` if that is an override that notifies what observes reads.
  package func sourceIdentity(
    of key: any DependencyKey.Type, isWatched: inout Bool
  ) -> ObjectIdentifier {
    node.sourceIdentity(of: key, isWatched: &isWatched)
  }

  /// The keys that are aliased to a key, the root first, or only the key itself.
  package func aliasedKeys(with key: any DependencyKey.Type) -> [any DependencyKey.Type] {
    node.store.aliasedKeys(with: ObjectIdentifier(key)) ?? [key]
  }
}

// MARK: - Options of the global store

extension DependencyScope {
  /// The options of this scope's global store.
  package var storeOptions: StoreOptions { node.store.options.subtracting(.always) }

  /// Changes an option of this scope's global store.
  package func setOption(_ option: StoreOptions, _ isOn: Bool) {
    node.store.set(option, isOn)
  }

  /// Whether keys without a value read their test value.
  package var readsTestValues: Bool { storeOptions.contains(.testValues) }
}

// MARK: - Observing

extension DependencyScope {
  /// The observer of this scope's global store, if there is one.
  package var storeObserver: (any ScopeObserver)? { node.store.observer }

  /// Makes an observer for this scope's global store, unless it has one.
  package func storeObserver(makingOne make: () -> any ScopeObserver) -> any ScopeObserver {
    node.store.observer(makingOne: make)
  }

  /// Calls `body` with what another module keeps for all scopes over this global store.
  ///
  /// - Returns: `nil` in a probe that has ended.
  package func withAttachment<R>(
    makingOne make: () -> any KeyListener, _ body: (AnyObject) -> R
  ) -> R? {
    node.unretainedRoot.borrow { $0.withAttachment(makingOne: make, body) }
  }

  /// Whether a read that finds no override notifies something.
  package var observesReads: Bool { node.unretainedRoot.borrow { $0.observesReads } }

  /// Notifies what observes reads that a key counts as read.
  package func noteRead(of key: any DependencyKey.Type) {
    let source = node.source(of: key, readBy: "")
    if case .defaultValue(let root) = source, storeOptions.contains(.observingReads) {
      storeObserver?.computeDefault(of: root, readBy: "") {}
    }
  }

  /// Returns a probe, and a scope that reads as this one does until the probe ends.
  ///
  /// - Parameters:
  ///   - followingDefaults: Whether what defaults read counts as read, too.
  ///   - readAfterEnd: Called with each key that is read through the scope after the end.
  package func probed(
    followingDefaults: Bool,
    readAfterEnd: @escaping @Sendable (any DependencyKey.Type) -> Void = { _ in }
  ) -> (KeyProbe, DependencyScope) {
    let probe = KeyProbe(
      of: .some(node), followingDefaults: followingDefaults, readAfterEnd: readAfterEnd)
    return (probe, bare(probe: probe))
  }

  /// Returns a scope without overrides, over the same global store, that reports what is read.
  package func bare(
    reportingReads report: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) -> DependencyScope {
    bare(probe: KeyProbe(of: nil, followingDefaults: true, readAfterEnd: report))
  }

  private func bare(probe: KeyProbe) -> DependencyScope {
    let root = ScopeRoot(node.store, isLost: node.isLost, probe: probe)
    return DependencyScope(node: .bare(over: root))
  }
}
