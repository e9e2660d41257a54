extension Dependencies {
  /// Computes the default of a key in this scope.
  ///
  /// It holds no lock: a default may read other dependencies, or call anything.
  @_alwaysEmitIntoClient
  @inline(never)
  func defaultValue<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let usesTestValues = prepareDefault(of: Key.self)
    let node = node.unmarked
    return CurrentScope.enter(node) {
      DefaultCycle.check(Key.self, in: node) { usesTestValues ? Key.testValue : Key.defaultValue }
    }
  }

  /// Computes the default of the key that another is aliased to, in this scope.
  @usableFromInline
  func defaultValue<Key: DependencyKey>(
    of key: Key.Type, aliasedTo root: any DependencyKey.Type
  ) -> Key.Value {
    func value<Root: DependencyKey>(of root: Root.Type) -> Key.Value {
      // Sound, because only keys with the same type of value are ever aliased.
      unsafe unsafeBitCast(defaultValue(of: root), to: Key.Value.self)
    }
    return value(of: root)
  }

  /// Reports a default that is read outside any scope, and returns whether test values are used.
  @usableFromInline
  func prepareDefault(of key: any DependencyKey.Type) -> Bool {
    let options = node.store.defaultOptions
    if options.contains(.reportingLostReads), node.isLost { LostReads.report(key) }
    return options.contains(.testValues)
  }
}
