/// Marks which of a scope's overrides were set on the environment that captures it.
///
/// Only the library enters a marked scope, while it makes that environment: whatever captures it
/// is the environment of type `owner`, or some other value made along with it, which owns nothing.
// Unchecked, because a subclass must say again what its superclass is; immutable.
final class OwnOverrides: OverrideNode, @unchecked Sendable {
  let owner: ObjectIdentifier
  /// The overrides that the owner set, each standing alone.
  let own: [OverrideNode]
  /// The same scope without marks.
  let unmarked: OverrideNode?

  /// Tells marks from overrides, for less than a cast.
  static var identity: ObjectIdentifier { ObjectIdentifier(OwnOverrides.self) }

  init(owner: ObjectIdentifier, own: [OverrideNode], on unmarked: OverrideNode?) {
    self.owner = owner
    self.own = own
    self.unmarked = unmarked
    super.init(id: Self.identity, on: unmarked)
  }

  /// One more override that the owner sets.
  func adding(_ override: OverrideNode) -> OwnOverrides {
    OwnOverrides(
      owner: owner,
      own: own.filter { $0.id != override.id } + [override.copy(on: nil)],
      on: override.copy(on: unmarked))
  }
}

extension OverrideNode? {
  var isMarked: Bool { self?.id == OwnOverrides.identity }

  /// This scope's marks, if it has some.
  var marks: OwnOverrides? {
    isMarked ? unsafe unsafeDowncast(self.unsafelyUnwrapped, to: OwnOverrides.self) : nil
  }

  /// The same scope without marks.
  @usableFromInline
  var unmarked: OverrideNode? {
    if let marks { marks.unmarked } else { self }
  }

  /// The overrides set on the environment of type `owner` that captured this scope.
  func own(of owner: Any.Type) -> [OverrideNode] {
    guard let marked = marks, marked.owner == ObjectIdentifier(owner) else {
      return []
    }
    return marked.own
  }

  /// This scope, with `own` set in it by an environment of type `owner`.
  func marked(owner: Any.Type, own: [OverrideNode]) -> OwnOverrides {
    var marked = OwnOverrides(owner: ObjectIdentifier(owner), own: [], on: unmarked)
    for override in own {
      guard contents.contains(.aliases), let aliases = store.aliases(of: override.id) else {
        marked = marked.adding(override)
        continue
      }
      // Keys may have become one since; a value that the parent sets for one of them must not win.
      let first = aliases.first(in: own) ?? override
      for member in aliases.members { marked = marked.adding(first.copy(for: member)) }
    }
    return marked
  }
}
