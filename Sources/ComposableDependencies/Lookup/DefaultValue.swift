extension Dependencies {
  /// Computes the default of a key in this scope.
  ///
  /// It holds no lock: a default may read other dependencies, or call anything.
  func computeDefault(
    of key: any DependencyKey.Type, _ compute: (_ usesTestValue: Bool) -> Void
  ) {
    // Unowned, because retaining the store costs more than the rest.
    let (options, isTracked) =
      Unowned.optional(node)?.borrow { node in
        (node.unownedStore.borrow { $0.options }, node.unownedRoot.borrow { $0.isTracked })
      } ?? (GlobalStore.process.options, false)
    if isTracked, let scope = node.tracker!.probedScope {
      return Dependencies(node: scope).computeDefault(of: key, compute)
    }
    func computeInScope() {
      CurrentScope.enter(node) {
        DefaultCycle.check(key) { compute(options.contains(.testValues)) }
      }
    }
    let isLost = options.contains(.observingLostReads) && node.isLost
    let scope = DependencyScope(node: node)
    guard isLost || options.contains(.observingReads), let observer = scope.storeObserver else {
      return computeInScope()
    }
    if isLost { observer.didLoseRead(of: key, isInScope: node != nil) }
    observer.computeDefault(of: key, computeInScope)
  }
}
