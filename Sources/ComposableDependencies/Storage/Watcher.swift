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

/// Watches the scopes over one global store, as debugging tools do.
///
/// The store notifies it while it is watched. Otherwise, a read costs nothing more.
package protocol Watcher: AnyObject, Sendable {
  /// Called at each read but those of overrides without a record; for a default, before it is computed.
  func didRead(_ read: Read)

  /// Called to override dependencies of a scope: it must call `update` once, which returns the new
  /// scope.
  func update(_ scope: ScopeNode?, at place: SourcePlace, _ update: () -> ScopeNode?)

  /// Returns what reads in a scope that is entered have as ``Read/note``; `nil` if that stays the same.
  ///
  /// - Parameter note: What reads around the scope have.
  func note(
    entering scope: ScopeNode?, inside note: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)?

  /// Returns a record of an override that an update is about to set, which the override keeps.
  ///
  /// - Parameter setter: What sets the key, as `#function` names it.
  func record(
    of key: any DependencyKey.Type, setBy setter: StaticString, in scope: ScopeNode?
  ) -> (any AnyObject & Sendable)?
}

/// The owner of overrides, such as a lifetime of resources, which can end while scopes still have them.
package final class OverrideOwner: Sendable {
  /// Where the owner began, for explanations.
  package let place: SourcePlace
  let readAfterEnd: @Sendable (any DependencyKey.Type) -> Void
  private let ended = Atomic(false)

  /// - Parameter readAfterEnd: Called at each read of one of the overrides after the end.
  package init(
    at place: SourcePlace, readAfterEnd: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) {
    self.place = place
    self.readAfterEnd = readAfterEnd
  }

  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  package func end() { ended.store(true, ordering: .releasing) }
}

/// Notified when global values or aliases change.
package protocol KeyListener: AnyObject, Sendable {
  /// - Parameters:
  ///   - keys: The keys that were set; `nil` if any key may have changed.
  ///   - source: Where a scope without overrides gets a key's value.
  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource)
}
