internal import Synchronization

/// The owner of an override, which can end while a scope still has the override.
///
/// For example, a lifetime of resources.
package protocol OverrideOwner: AnyObject, Sendable {
  var end: OverrideEnd { get }

  /// Where the owner began, for explanations.
  var place: SourceLocation? { get }

  /// Called at each read of the override after the end.
  func reportRead(of key: any DependencyKey.Type)
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

/// The owner of an override, and its end, which costs less to read here than from the owner.
// Unchecked, because a subclass must repeat what its superclass is; immutable.
final class Ownership: ReadObserver, @unchecked Sendable {
  let owner: any OverrideOwner
  private let end: OverrideEnd

  init(by owner: any OverrideOwner) {
    self.owner = owner
    end = owner.end
  }

  override func didRead(
    _ key: any DependencyKey.Type, of override: any DependencyKey.Type
  ) {
    if end.hasCome { owner.reportRead(of: override) }
  }
}
