/// Watches the scopes over one global store, as debugging tools do.
///
/// It is asked only where a slow path begins anyway, and only about what the store's options name.
package protocol ScopeObserver: AnyObject, Sendable {
  /// Called to override dependencies of a scope, which it must do once.
  func update(_ scope: ScopeNode?, at place: SourceLocation, _ update: () -> Void)

  /// Returns what is notified of the reads of an override that an update is about to set.
  func observer(of key: any DependencyKey.Type, in scope: ScopeNode?) -> (any ReadObserver)?

  /// Called at a read of a global value.
  func didRead(_ key: any DependencyKey.Type, _ value: Override)

  /// Called to compute a default, which it must do once.
  ///
  /// - Parameter reader: The function that reads the default, or an empty string.
  func computeDefault(
    of key: any DependencyKey.Type, readBy reader: StaticString, _ compute: () -> Void)

  /// Called where a default is about to be read outside any scope.
  ///
  /// - Parameters:
  ///   - reader: The function that reads the default.
  ///   - isInScope: Whether it is read in a scope that was built outside any scope.
  func didLoseRead(of key: any DependencyKey.Type, by reader: StaticString, isInScope: Bool)
}

/// What a global store's observer is asked about, and what its defaults are.
package struct StoreOptions: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  // Not the generic functions of `OptionSet`, which debug builds don't specialize.
  package func contains(_ option: StoreOptions) -> Bool { rawValue & option.rawValue != 0 }

  package func isDisjoint(with options: StoreOptions) -> Bool { rawValue & options.rawValue == 0 }

  /// The defaults are the keys' test values.
  package static let testValues = StoreOptions(rawValue: 1)
  /// Defaults that are read outside any scope are observed.
  package static let observingLostReads = StoreOptions(rawValue: 2)
  /// Set in each store, for the roots whose reads are always observed.
  static let always = StoreOptions(rawValue: 4)
  /// Reads are observed.
  package static let observingReads = StoreOptions(rawValue: 8)
  /// Updates are observed.
  package static let observingUpdates = StoreOptions(rawValue: 16)
}

/// Notified when global values or aliases change.
package protocol KeyListener: AnyObject, Sendable {
  /// - Parameters:
  ///   - keys: The keys that were set; `nil` if any key may have changed.
  ///   - source: Where a scope without overrides gets a key's value.
  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource)
}
