extension Dependencies {
  /// Computes the default of a key in this scope.
  ///
  /// It holds no lock: a default may read other dependencies, or call anything.
  func computeDefault(
    of key: any DependencyKey.Type, _ compute: (_ usesTestValue: Bool) -> Void
  ) {
    let options = prepareDefault(of: key)
    let usesTestValue = options.contains(.testValues)
    let node = node
    func computeInScope() {
      CurrentScope.enter(node) {
        DefaultCycle.check(key) { compute(usesTestValue) }
      }
    }
    if options.contains(.recordingReads) {
      charging(key, computeInScope)
    } else {
      computeInScope()
    }
  }

  /// Reports a default that is read outside any scope, and returns how to compute it.
  private func prepareDefault(of key: any DependencyKey.Type) -> GlobalStore.DefaultOptions {
    // Unowned, because retaining the store costs more than the rest.
    let (options, isTracked) =
      Unowned.optional(node)?.borrow { node in
        (node.unownedStore.borrow { $0.defaultOptions }, node.unownedRoot.borrow { $0.isTracked })
      } ?? (GlobalStore.process.defaultOptions, false)
    if options.contains(.reportingLostReads), node.isLost {
      LostReads.report(key, isInScope: node != nil)
    }
    if options.contains(.recordingReads) { recordRead(of: key, .defaultValue) }
    // A probe distinguishes what defaults read from what the probed code reads.
    return isTracked && node.tracker!.isProbe ? options.union(.recordingReads) : options
  }
}
