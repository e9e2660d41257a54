internal import Synchronization

/// Watches the scopes over one global store, as debugging tools do.
///
/// It is asked only where a slow path begins anyway, and only about what the store's options name.
package protocol ScopeObserver: AnyObject, Sendable {
  /// Called to override dependencies of a scope, which it must do once.
  func update(_ scope: DependencyScope, at place: SourceLocation, _ update: () -> Void)

  /// Returns what is notified of the reads of an override that an update is about to set.
  func observer(
    of key: any DependencyKey.Type, in scope: DependencyScope
  ) -> (any ReadObserver)?

  /// Called at a read of a global value.
  func didRead(_ key: any DependencyKey.Type, _ value: Override)

  /// Called to compute a default, which it must do once.
  func computeDefault(of key: any DependencyKey.Type, _ compute: () -> Void)

  /// Called where a default is about to be read outside any scope.
  ///
  /// - Parameter isInScope: Whether it is read in a scope that was built outside any scope.
  func didLoseRead(of key: any DependencyKey.Type, isInScope: Bool)

  /// Called where `reader`, an environment, is about to read a dependency that it may not declare.
  func willRead<Value>(
    _ keyPath: KeyPath<Dependencies, Value>, through reader: Any, in scope: DependencyScope)

  /// Where the value of the dependency with a property's name comes from, as a sentence.
  func origin(ofProperty name: some StringProtocol, in scope: DependencyScope) -> String?
}

/// What a global store's observer is asked about, and what its defaults are.
package struct StoreOptions: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The defaults are the keys' test values.
  package static let testValues = StoreOptions(rawValue: 1)
  /// Defaults that are read outside any scope are observed.
  package static let observingLostReads = StoreOptions(rawValue: 2)
  /// What `make` of a shared key reads is watched; an option of a scope, and so of every store.
  static let tracked = StoreOptions(rawValue: 4)
  /// Reads are observed.
  package static let observingReads = StoreOptions(rawValue: 8)
  /// Updates are observed.
  package static let observingUpdates = StoreOptions(rawValue: 16)
}

extension GlobalStore {
  /// A reference to an observer that can be published once.
  final class Observer: Sendable {
    let object: any ScopeObserver
    init(_ object: any ScopeObserver) { self.object = object }
  }
}

extension DependencyScope {
  /// The observer of this scope's global store, if there is one.
  package var storeObserver: (any ScopeObserver)? { node.store.observer.load()?.object }

  /// Makes an observer for this scope's global store, unless it has one.
  package func storeObserver(makingOne make: () -> any ScopeObserver) -> any ScopeObserver {
    storeObserver ?? node.store.observer.storeIfNil(.init(make())).object
  }

  /// The options of this scope's global store.
  package var storeOptions: StoreOptions { node.store.options }

  /// Changes an option of this scope's global store.
  package func setOption(_ option: StoreOptions, _ isOn: Bool) {
    node.store.set(option, isOn)
  }
}
