extension Dependencies {
  /// Sets global values, which every scope reads unless it overrides them.
  ///
  /// Call it once at start-up, before anything is read:
  ///
  /// ```swift
  /// Dependencies.setGlobally {
  ///   $0.apiClient = .live
  ///   $0[RetryLimitKey.self] = 5  // a key without a property
  /// }
  /// ```
  ///
  /// This sets the values in the current scope's global store; other threads see either all of them
  /// or none. The last value set wins. A test sets them in a store of its own, with
  /// ``DependencyScope/isolated()`` or a trait.
  ///
  /// - Parameter update: Sets dependencies. Reads inside this closure see the values set so far,
  ///   global values and defaults, but no override of the current scope.
  /// - Parameter fileID: The file that `explain()` names.
  /// - Parameter line: The line that `explain()` names.
  public static func setGlobally(
    _ update: (inout Dependencies) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    DependencyScope.current.setGlobally(update, fileID: fileID, line: line)
  }

  /// Resets every value in the current scope's global store to its default.
  ///
  /// Overrides and aliases stay, and so does the instance of a shared key, unless one of its inputs was
  /// set globally.
  public static func resetGlobalValues() {
    CurrentScope.node.store.removeValues()
  }

  /// Reads ``DependencyKey/defaultValue`` instead of ``DependencyKey/testValue`` from now on.
  ///
  /// A process that links `ComposableTesting` reads test values. An app that hosts its tests, or a
  /// program that links the module for another reason, calls this first at start-up:
  ///
  /// ```swift
  /// Dependencies.useDefaultValues()
  /// ```
  ///
  /// This changes what reads over the current scope's global store find. In a test's scope, it changes
  /// only that test; tests of Swift Testing have the trait `.usingDefaultValues`. It doesn't change an
  /// isolated scope that exists already, or a shared value that was read before.
  public static func useDefaultValues() {
    CurrentScope.node.store.usesTestValues = false
  }

  /// Removes all aliases from the current scope's global store.
  ///
  /// A value set through an alias stays set for each of the aliased dependencies. Reads of these
  /// dependencies stay as slow as reads of aliased ones.
  public static func clearGlobalAliases() {
    CurrentScope.node.store.removeAliases()
  }
}

extension DependencyScope {
  /// Sets global values in the global store of this scope.
  package func setGlobally(
    _ update: (inout Dependencies) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    // Outside any scope, over the process's root, because reads in `update` aren't lost reads.
    let bare: ScopeNode? = ScopeNode(bareOver: beganOutsideAnyScope ? .process : node.root)
    node.store.set(bare.updated(fileID: fileID, line: line, update).overrides())
  }
}
