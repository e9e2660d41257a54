/// Notified of each read of an override: on behalf of its owner, or of a recording.
///
/// Not an enumeration of these, because reading one would retain it.
// Unchecked, because of its subclasses, which are immutable or atomic.
package class ReadObserver: @unchecked Sendable {
  /// - Parameters:
  ///   - key: The key that was read.
  ///   - override: The key of the override, which the other may be aliased to.
  func didRead(_ key: any DependencyKey.Type, of override: any DependencyKey.Type) {}
}
