internal import ComposableDependencies

/// Finds out which keys a piece of code reads itself, apart from what their defaults read.
enum ReadKeys {
  /// Whether keys are being found, by reads that aren't the program's.
  @TaskLocal static var areBeingFound = false
}

extension DependencyScope {
  /// Runs `read` in a scope that reads as this one does, and returns the keys that it reads.
  ///
  /// It computes defaults, as any read does.
  func keys(readBy read: (DependencyScope) -> Void) -> [any DependencyKey.Type] {
    let (probe, scope) = probed(followingDefaults: false)
    ReadKeys.$areBeingFound.withValue(true) { read(scope) }
    let reads = probe.end().filter { !($0.key is any UnrecordedKey.Type) }
    for read in reads { PropertyNames.learn(read.key, from: read.reader) }
    return reads.map(\.key)
  }

  /// Computes the default of a key in this scope, and returns it with the keys that it reads itself.
  func computeDefault<Key: DependencyKey>(
    of key: Key.Type
  ) -> (value: Key.Value, keys: [any DependencyKey.Type]) {
    var value: Key.Value?
    let keys = keys { scope in
      value = scope.run { readsTestValues ? key.testValue : key.defaultValue }
    }
    return (value!, keys)
  }
}
