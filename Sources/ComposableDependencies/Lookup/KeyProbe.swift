/// Finds out which keys a piece of code reads itself, apart from what their defaults read.
package enum KeyProbe {
  /// Whether a probe is running, whose reads aren't the program's.
  @TaskLocal package static var isProbing = false
}

/// A key that the library itself reads, so that no recording contains it.
package protocol UnrecordedKey: DependencyKey {}

extension DependencyScope {
  /// Runs `read` on dependencies that read as this scope does, and returns the keys that it reads.
  ///
  /// It computes defaults, as any read does.
  package func keys(readBy read: (Dependencies) -> Void) -> [any DependencyKey.Type] {
    let tracker = InputTracker(probing: node)
    let probe = ScopeNode.bare(
      over: ScopeRoot(
        owner: StoreOwner(tracking: node.owner.main), isLost: node.isLost, tracker: tracker))
    KeyProbe.$isProbing.withValue(true) { read(Dependencies(node: probe)) }
    return tracker.inputs.map(\.key).filter { !($0 is any UnrecordedKey.Type) }
  }

  /// Computes the default of a key in this scope, and returns it with the keys that it reads itself.
  package func computeDefault<Key: DependencyKey>(
    of key: Key.Type
  ) -> (value: Key.Value, keys: [any DependencyKey.Type]) {
    var value: Key.Value?
    let keys = keys { probe in
      CurrentScope.enter(probe.node) {
        DefaultCycle.check(key) { value = readsTestValues ? key.testValue : key.defaultValue }
      }
    }
    return (value!, keys)
  }

  /// The keys that are aliased to a key, the root first, or only the key itself.
  package func aliasedKeys(with key: any DependencyKey.Type) -> [any DependencyKey.Type] {
    node.store.aliasedKeys(with: ObjectIdentifier(key)) ?? [key]
  }
}
