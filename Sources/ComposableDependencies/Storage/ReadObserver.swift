/// Notified of each read of an override: on behalf of its owner, or of a recording.
///
/// Not an enumeration of these, because reading one would retain it.
// Unchecked, because of its subclasses, which are immutable or atomic.
@usableFromInline
package class ReadObserver: @unchecked Sendable {
  /// - Parameters:
  ///   - key: The key that was read.
  ///   - override: The key of the override, which the other may be aliased to.
  func didRead(_ key: any DependencyKey.Type, of override: any DependencyKey.Type) {}
}

extension OverrideNode {
  /// Whether each read calls ``didRead(_:)``.
  @inline(__always)
  final var isWatched: Bool { observer != nil }

  /// Called at each read of a watched override.
  ///
  /// - Parameter key: The key that was read, if it isn't this override's own.
  final func didRead(_ key: (any DependencyKey.Type)? = nil) {
    Unowned.optional(observer)?.borrow { $0.didRead(key ?? exactKey, of: exactKey) }
  }

  /// The owner of this override, if it has one that can end.
  final var overrideOwner: (any OverrideOwner)? { (observer as? Ownership)?.owner }

  /// Where this override was set, if that was recorded.
  final var origin: Origin? { observer as? Origin }

  /// Returns the same override, with the place where it was set.
  final func recorded(as origin: Origin) -> OverrideNode {
    observer is Ownership ? self : copy(for: exactKey, keptWith: nil, observer: origin)
  }
}
