internal import Synchronization

/// A read of a dependency.
package struct Read: Sendable {
  /// The key; for a default of aliased keys, their root.
  package let key: any DependencyKey.Type
  /// The function that reads the key, or an empty string.
  package let reader: StaticString
  package let source: ValueSource
  /// The scope that is read.
  let node: ScopeNode?
  /// The keys of the defaults that are being computed, the innermost first.
  ///
  /// What a default reads counts for the code that reads the default.
  package let defaults: [any DependencyKey.Type]

  package init(
    _ key: any DependencyKey.Type, by reader: StaticString = "", from source: ValueSource,
    in node: ScopeNode?
  ) {
    self.key = key
    self.reader = reader
    self.source = source
    self.node = node
    defaults = Self.currentDefaults
  }

  /// The keys of the defaults that are being computed here, the innermost first.
  package static var currentDefaults: [any DependencyKey.Type] { ComputedDefault.keys }
}

/// Notified of reads: of those of an override, or of all over one global store.
package protocol ReadWatcher: AnyObject, Sendable {
  /// Called at a read; if it finds no value, before the default is computed.
  func didRead(_ read: Read)
}

/// Watches the scopes over one global store, as debugging tools do.
///
/// The store notifies it of what its options name. Without options, a read costs nothing more.
package protocol Watcher: ReadWatcher {
  /// Called to override dependencies of a scope, which it must do once.
  func update(_ scope: ScopeNode?, at place: SourceLocation, _ update: () -> Void)

  /// Returns the watcher of an override that an update is about to set.
  func watcher(of key: any DependencyKey.Type, in scope: ScopeNode?) -> (any ReadWatcher)?

  /// Called where an environment, or another reader, is about to read a property.
  func willRead<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, through reader: Any, in scope: ScopeNode?)
}

/// The owner of an override, which can end while a scope still has the override.
///
/// For example, a lifetime of resources. It is notified of reads after its end.
package protocol OverrideOwner: ReadWatcher {
  var end: OwnerEnd { get }

  /// Where the owner began, for explanations.
  var place: SourceLocation? { get }
}

extension OverrideOwner {
  package var place: SourceLocation? { nil }
}

/// Whether the owner of an override has ended; each read of the override checks it.
package final class OwnerEnd: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isReached: Bool { flag.load(ordering: .acquiring) }

  package func reach() {
    flag.store(true, ordering: .releasing)
  }
}

/// What a global store's watcher is notified of, and what the store's defaults are.
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
  /// Its watcher is notified of defaults that are read outside any scope.
  package static let watchingLostReads = StoreOptions(rawValue: 2)
  /// Set in each store, for the roots whose reads are always watched.
  static let always = StoreOptions(rawValue: 4)
  /// Its watcher is notified of reads.
  package static let watchingReads = StoreOptions(rawValue: 8)
  /// Its watcher is notified of updates.
  package static let watchingUpdates = StoreOptions(rawValue: 16)
}

/// Notified when global values or aliases change.
package protocol KeyListener: AnyObject, Sendable {
  /// - Parameters:
  ///   - keys: The keys that were set; `nil` if any key may have changed.
  ///   - source: Where a scope without overrides gets a key's value.
  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource)
}
