internal import Synchronization

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
