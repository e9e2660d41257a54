internal import ComposableDependencies

extension DependencyScope {
  /// Runs `read` in a scope that reads as this one does, and returns the keys that it reads itself,
  /// apart from what their defaults read.
  ///
  /// It computes defaults, as any read does. The reads aren't recorded.
  func keys(readBy read: (DependencyScope) -> Void) -> [any DependencyKey.Type] {
    let (probe, scope) = probed(countsReads: false)
    scope.run { read(scope) }
    let reads = probe.end().filter { !($0.key is any UnrecordedKey.Type) }
    // Each default that is being computed nests its reads one deeper.
    let depth = reads.map(\.defaults.count).min()
    let own = reads.filter { $0.defaults.count == depth }
    for read in own { PropertyNames.learn(read.key, from: read.reader) }
    return own.map(\.key)
  }

  /// Computes the default of a key in this scope, and returns it with the keys that it reads itself.
  func computeDefault<Key: DependencyKey>(
    of key: Key.Type
  ) -> (value: Key.Value, keys: [any DependencyKey.Type]) {
    var value: Key.Value?
    let keys = keys { _ in value = readsTestValues ? key.testValue : key.defaultValue }
    return (value!, keys)
  }
}
