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

/// An override that each read checks, because its owner may have ended.
// Unchecked, because a subclass must repeat what its superclass is; immutable.
final class OwnedOverride<Value: Sendable>: Override<Value>, @unchecked Sendable {
  private let exactOwner: any OverrideOwner
  /// The owner's `end`.
  ///
  /// Reading it here costs less than asking the owner.
  private let end: OverrideEnd

  init(
    _ value: Value, for key: any DependencyKey.Type, owner: any OverrideOwner,
    on below: OverrideNode?, aliasEpoch: UInt32
  ) {
    exactOwner = owner
    end = owner.end
    super.init(watched: value, for: key, on: below, aliasEpoch: aliasEpoch)
  }

  private init(
    _ value: Value, for key: any DependencyKey.Type, owner: any OverrideOwner,
    keptWith next: OverrideNode?
  ) {
    exactOwner = owner
    end = owner.end
    super.init(value, for: key, keptWith: next, isWatched: true)
  }

  override var overrideOwner: (any OverrideOwner)? { exactOwner }

  override func copy(keptWith next: OverrideNode?) -> OverrideNode {
    OwnedOverride(value, for: exactKey, owner: exactOwner, keptWith: next)
  }

  override func copy(on below: OverrideNode?, aliasEpoch: UInt32) -> OverrideNode {
    OwnedOverride(value, for: exactKey, owner: exactOwner, on: below, aliasEpoch: aliasEpoch)
  }

  override func copy(for key: any DependencyKey.Type) -> OverrideNode {
    OwnedOverride(value, for: key, owner: exactOwner, keptWith: nil)
  }

  override func recorded(as origin: Origin) -> OverrideNode { self }

  override func didRead(_ key: (any DependencyKey.Type)? = nil) {
    if end.hasCome { exactOwner.reportRead(of: exactKey) }
  }
}
