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
/// The store notifies it while it is watched. Otherwise, a read costs nothing more.
package protocol Watcher: ReadWatcher {
  /// Called to override dependencies of a scope: it must call `update` once, which returns the new
  /// scope.
  func update(_ scope: ScopeNode?, at place: SourcePlace, _ update: () -> ScopeNode?)

  /// Returns the watcher of an override that an update is about to set.
  ///
  /// - Parameter setter: What sets the key, as `#function` names it.
  func watcher(
    of key: any DependencyKey.Type, setBy setter: StaticString, in scope: ScopeNode?
  ) -> (any ReadWatcher)?
}

/// The owner of an override, which can end while a scope still has the override.
///
/// For example, a lifetime of resources. It is notified of reads after its end.
package protocol OverrideOwner: ReadWatcher {
  var end: OwnerEnd { get }

  /// Where the owner began, for explanations.
  var place: SourcePlace? { get }
}

extension OverrideOwner {
  package var place: SourcePlace? { nil }
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

/// Notified when global values or aliases change.
package protocol KeyListener: AnyObject, Sendable {
  /// - Parameters:
  ///   - keys: The keys that were set; `nil` if any key may have changed.
  ///   - source: Where a scope without overrides gets a key's value.
  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource)
}
