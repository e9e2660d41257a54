// What other modules of this package see of a scope.

extension DependencyScope {
  /// Identifies this snapshot among all that exist.
  ///
  /// That of an environment is the same as that of the scope around it.
  package var identity: UInt { Unretained.address(of: node.entered()) }

  /// Whether this scope and another have one global store.
  package func isOverSameStore(as other: DependencyScope) -> Bool {
    node.store === other.node.store
  }

  /// Whether this is the scope of code that runs outside any scope.
  package var isOutsideAnyScope: Bool { node == nil }

  /// Whether this scope was built outside any scope, by a task or thread that lost its own.
  package var beganOutsideAnyScope: Bool { node.root.beganOutsideAnyScope }

  /// Every override of this scope.
  package var overrides: [Override] { node.overrides() }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  package func overrides(addedTo scope: DependencyScope) -> [Override] {
    node.overrides(addedTo: scope.node)
  }

  /// Whether keys without a value read their test value.
  package var readsTestValues: Bool { node.store.usesTestValues }

  /// The override that was set last; `nil` in a scope without overrides.
  package var newestOverride: Override? { node?.newest }

  /// Every value of this scope's global store.
  package var globalValues: [Override] { node.store.values }

  /// Where this scope gets a key's value.
  package func source(of key: any DependencyKey.Type) -> ValueSource { node.source(of: key) }

  /// Where a scope without overrides, over the same global store, gets a key's value.
  package func globalSource(of key: any DependencyKey.Type) -> ValueSource {
    node.store.source(of: key)
  }

  /// Identifies where this scope gets a key's value, and frees nothing.
  ///
  /// - Parameter isObserved: Set to `true` if that is an override whose reads notify something.
  package func sourceIdentity(
    of key: any DependencyKey.Type, isObserved: inout Bool
  ) -> ObjectIdentifier {
    var found: ObjectIdentifier?
    node.find(key) { source in
      switch source {
      case .override(let value):
        if value.isObserved { isObserved = true }
        found = value.borrow { ObjectIdentifier($0) }
      case .global(let value): found = value.borrow { ObjectIdentifier($0) }
      case .defaultValue(let key): found = ObjectIdentifier(key)
      }
    }
    return found!
  }

  /// The keys that are aliased to a key, the root first, or only the key itself.
  package func aliasedKeys(with key: any DependencyKey.Type) -> [any DependencyKey.Type] {
    node.store.aliasedKeys(with: key)
  }
}

// MARK: - Environments

extension DependencyScope {
  /// The overrides that were set on the environment of a type that captured this scope.
  package func overrides(setOn environment: Any.Type) -> [Override] {
    guard let own = node?.own, own.environment == ObjectIdentifier(environment)
    else { return [] }
    return own.overrides
  }

  /// Creates an environment in this scope, with overrides that belong to it.
  package func create<Environment>(
    of type: Environment.Type, with own: [Override], _ create: () -> Environment
  ) -> Environment {
    if own.isEmpty { return run(create) }
    let own = EnvironmentOverrides(around: node.entered()!, of: type, overrides: own)
    return CurrentScope.create(in: ScopeNode(of: own), create)
  }
}

// MARK: - Watching

extension DependencyScope {
  /// Whether the watcher of this scope's global store is notified.
  package var isWatched: Bool {
    get { node.isWatched }
    nonmutating set { node.store.isWatched = newValue }
  }

  /// The watcher of this scope's global store, while it is notified of all reads.
  package var watcher: (any Watcher)? { isWatched ? node.store.watcher : nil }

  /// The watcher of this scope's global store, made if there is none.
  package func watcher(makingOne make: () -> any Watcher) -> any Watcher {
    node.store.watcher(makingOne: make)
  }

  /// Calls `body` with what another module keeps for all scopes over this global store.
  ///
  /// - Returns: Whether `body` was called: it isn't in a probe that has ended.
  package func withAttachment(
    makingOne make: () -> any KeyListener, _ body: (AnyObject) -> Void
  ) -> Bool {
    node.unretained.root.borrow { $0.withAttachment(makingOne: make, body) }
  }

  /// Whether a read that finds no override notifies something.
  package var watchesReads: Bool { node.unretained.root.borrow { $0.watchesReads } }

  /// Counts a key as read, for what watches reads.
  package func noteRead(of key: any DependencyKey.Type) { _ = node.readSource(of: key, by: "") }

  /// Returns a probe, and a scope that reads as this one does until the probe ends.
  ///
  /// What defaults read counts as read, too.
  ///
  /// - Parameters:
  ///   - countsReads: Whether the reads also count for what watches this scope.
  ///   - readAfterEnd: Called with each key that is read through the scope after the end.
  package func probed(
    countsReads: Bool,
    readAfterEnd: @escaping @Sendable (any DependencyKey.Type) -> Void = { _ in }
  ) -> (KeyProbe, DependencyScope) {
    let probe = KeyProbe(.of(node, countsReads: countsReads), readAfterEnd: readAfterEnd)
    return (probe, bare(probe: probe))
  }

  /// Returns a scope without overrides, over the same global store, that reports what is read.
  package func bare(
    reportingReads report: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) -> DependencyScope {
    bare(probe: KeyProbe(.ended, readAfterEnd: report))
  }

  private func bare(probe: KeyProbe) -> DependencyScope {
    let root = ScopeRoot(node.store, beganOutsideAnyScope: beganOutsideAnyScope, probe: probe)
    return DependencyScope(node: ScopeNode(bareOver: root))
  }
}

extension Read {
  /// What the watcher noted about the scopes that were entered around the running code.
  package static var note: (any AnyObject & Sendable)? { CurrentScope.note }

  /// The scope that is read.
  package var scope: DependencyScope { DependencyScope(node: node) }
}
