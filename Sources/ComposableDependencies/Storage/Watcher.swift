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
  func note(entering scope: ScopeNode?) -> (any AnyObject & Sendable)?

  /// Returns a record of an override that an update is about to set, which the override keeps.
  ///
  /// - Parameter setter: What sets the key, as `#function` names it.
  func record(
    of key: any DependencyKey.Type, setBy setter: StaticString, in scope: ScopeNode?
  ) -> (any AnyObject & Sendable)?
}
