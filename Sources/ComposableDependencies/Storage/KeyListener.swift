/// Notified when global values or aliases change.
package protocol KeyListener: AnyObject, Sendable {
  /// - Parameters:
  ///   - keys: The keys that were set; `nil` if any key may have changed.
  ///   - source: Where a scope without overrides gets a key's value.
  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource)
}
