/// Finds out which keys a piece of code reads itself, apart from what their defaults read.
enum KeyProbe {
  /// Runs `read` on dependencies that read as a scope does.
  ///
  /// It computes defaults, as any read does.
  static func keys(
    readIn scope: ScopeNode?, by read: (Dependencies) -> Void
  ) -> [any DependencyKey.Type] {
    let tracker = InputTracker(probing: scope)
    let node = ScopeNode.bare(
      over: ScopeRoot(
        owner: StoreOwner(tracking: scope.owner.main), isLost: scope.isLost, tracker: tracker))
    ReadCharge.$isProbing.withValue(true) { read(Dependencies(node: node)) }
    return tracker.inputs.map(\.key).filter { !($0 is any UnrecordedKey.Type) }
  }
}

extension DependencyScope {
  /// The keys that a property reads itself, apart from what their defaults read.
  package func keys(readBy keyPath: PartialKeyPath<Dependencies>) -> [any DependencyKey.Type] {
    KeyProbe.keys(readIn: node) { _ = $0[keyPath: keyPath] }
  }

  /// The identities of a key and of the keys that are aliased to it.
  package func aliasedKeys(with key: any DependencyKey.Type) -> [ObjectIdentifier] {
    let aliased = node.store.aliasedKeys(with: ObjectIdentifier(key)) ?? [key]
    return aliased.map { ObjectIdentifier($0) }
  }
}
