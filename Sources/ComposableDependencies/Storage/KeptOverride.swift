/// An override, and the node that holds it.
struct KeptOverride: Equatable, Sendable {
  let node: OverrideNode
  private let override: Override

  init(node: OverrideNode, _ override: Override) {
    self.node = node
    self.override = override
  }

  /// Calls `body` with the override, which stays alive until `body` returns.
  @inline(__always)
  func read<R>(_ body: (Override) -> R) -> R {
    withExtendedLifetime(node) { body(override) }
  }

  /// Whether two are the same override, not copies.
  static func == (lhs: KeptOverride, rhs: KeptOverride) -> Bool { lhs.override == rhs.override }

  var id: ObjectIdentifier { read { $0.id } }
  var key: (any DependencyKey.Type)? { read { $0.key } }
  var anyValue: (any Sendable)? { read { $0.anyValue } }
  var overrideOwner: (any OverrideOwner)? { read { $0.overrideOwner } }
  var origin: Origin? { read { $0.origin } }

  /// Returns the same override with the same identity, in a node of its own.
  func copy() -> KeptOverride { read { $0.copy().sharingIdentity(of: self) } }

  /// Returns the same value for another key with the same type of value.
  func copy(for key: any DependencyKey.Type) -> KeptOverride {
    read { $0.copy(for: key).sharingIdentity(of: self) }
  }

  /// Gets an identity if one of the keys for which this is about to be copied is a known input.
  func prepareIdentity(forCopiesFor keys: [any DependencyKey.Type]) {
    read { $0.prepareIdentity(forCopiesFor: keys) }
  }

  /// Returns the same override with the same identity, on top of `below`.
  func copy(on below: consuming OverrideNode?) -> OverrideNode {
    let scope = override.copy(on: below)
    return withExtendedLifetime(node) { scope }
  }

  /// Returns the same override, with the place where it was set.
  func recorded(as origin: Origin) -> KeptOverride {
    read { override in
      override.observer is Ownership
        ? self : override.copy(for: override.exactKey, observer: origin)
    }
  }

  /// This override, as a copy of another.
  private func sharingIdentity(of original: KeptOverride) -> KeptOverride {
    read { copy in original.read { copy.shareIdentity(of: $0) } }
    return self
  }
}
