extension Dependencies {
  /// The instance of a shared key for this scope, made if there is none.
  @usableFromInline
  func sharedInstance<Key: SharedKey>(of key: Key.Type) -> Key.Value {
    var value: Key.Value?
    findMade(ObjectIdentifier(key)) { instance in
      value = instance.value(as: Key.Value.self)
    }
    if let value { return value }
    let scope = node
    let owner = scope.owner.main
    let kept = owner.instances?.find(key, in: scope) ?? make(key, in: scope, for: owner)
    scope.recordInstance(kept)
    return kept.value(as: Key.Value.self)
  }

  private func make<Key: SharedKey>(
    _ key: Key.Type, in scope: ScopeNode?, for owner: StoreOwner
  ) -> Override {
    var tracker = InputTracker(of: key, in: scope)
    var tracked: ScopeNode? = .bare(
      over: ScopeRoot(
        owner: StoreOwner(tracking: owner), isLost: scope.isLost, tracker: tracker))
    let value = CurrentScope.push(tracked) {
      DefaultCycle.check(key) { Key.make() }
    }
    tracked = nil
    let inputs = tracker.inputs
    // What was made has captured the scope, if anything still refers to it.
    if !isKnownUniquelyReferenced(&tracker) { tracker.seal() }
    return owner.madeInstances.keep(.make(key, value), from: inputs)
  }
}

extension ScopeNode? {
  /// What owns the global store below these overrides.
  var owner: StoreOwner { self?.root.owner ?? .process }

  /// What watches the reads of this scope, if it belongs to a `make` that is running or has run.
  var tracker: InputTracker? { self?.root.tracker }

  /// The scope in which the outermost of the `make` runs that read each other was asked for.
  fileprivate var withoutTrackers: ScopeNode? {
    var scope = self
    while let tracker = scope.tracker, scope!.overridesNothing,
      case .some(let outer) = tracker.scope
    {
      scope = outer
    }
    return scope
  }

  fileprivate func recordInstance(_ instance: Override) {
    if let tracker, self!.overridesNothing { tracker.keep(instance) }
  }
}
