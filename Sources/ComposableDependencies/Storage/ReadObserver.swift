internal import Synchronization

/// Notified of the reads of an override that it is attached to.
package protocol ReadObserver: AnyObject, Sendable {
  /// - Parameters:
  ///   - key: The key that was read.
  ///   - override: The key of the override, which the other may be aliased to.
  func didRead(_ key: any DependencyKey.Type, of override: any DependencyKey.Type)
}

/// The owner of an override, which can end while a scope still has the override.
///
/// For example, a lifetime of resources. It is notified of reads after the end.
package protocol OverrideOwner: ReadObserver {
  var end: OverrideEnd { get }

  /// Where the owner began, for explanations.
  var place: SourceLocation? { get }
}

extension OverrideOwner {
  package var place: SourceLocation? { nil }
}

/// Whether the owner of an override has ended; each read of the override checks it.
package final class OverrideEnd: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var hasCome: Bool { flag.load(ordering: .acquiring) }

  package func come() {
    flag.store(true, ordering: .releasing)
  }
}
