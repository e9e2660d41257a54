internal import Synchronization

/// A read through an environment that doesn't declare what it reads.
package struct UndeclaredRead: Sendable {
  package let environment: any DependencyEnvironment.Type
  package let key: any DependencyKey.Type
  /// The property of `Dependencies`, if its name is known.
  package let property: String?
}

extension ScopeCapturing {
  /// The value of a dependency in this environment's scope, read through the environment.
  ///
  /// For debug builds, which report an environment that reads the current scope, and to a test that
  /// asks for it a read of what the environment doesn't declare.
  @usableFromInline
  package func checkedValue<Value>(_ keyPath: KeyPath<Dependencies, Value>) -> Value {
    checkScopeIsCaptured()
    let node = scope.node
    let store = node.store
    if store.recordsReads, store.recorder.reportsUndeclaredReads {
      for key in KnownKeys.keys(of: keyPath, in: node) where !declares(key) {
        PropertyNames.learn(key, from: keyPath)
        store.recorder.report(
          UndeclaredRead(
            environment: Self.self, key: key, property: PropertyNames.name(of: keyPath)))
      }
    }
    return scope[keyPath]
  }

  private func declares(_ key: any DependencyKey.Type) -> Bool {
    KnownKeys.declared(by: self).contains(ObjectIdentifier(key))
  }
}

/// The keys of key paths and of declarations, each found once, because finding one reads it.
private enum KnownKeys {
  // Unchecked, because what a key path captures may not be sendable; it is only compared here.
  private struct Path: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
  }

  private struct Known {
    var keyPaths: [Path: [any DependencyKey.Type]] = [:]
    var environments: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
  }

  private static let known = Mutex(Known())

  static func keys<Value>(
    of keyPath: KeyPath<Dependencies, Value>, in node: OverrideNode?
  ) -> [any DependencyKey.Type] {
    let path = Path(keyPath: keyPath)
    if let keys = known.withLock({ $0.keyPaths[path] }) { return keys }
    let keys = KeyProbe.keys(readIn: node) { _ = $0[keyPath: keyPath] }
    // Dropped after the lock, with what they capture. A key path may be made anew at each read.
    let dropped = known.withLock { known -> [Path: [any DependencyKey.Type]] in
      defer { known.keyPaths[path] = keys }
      return known.keyPaths.count < 1_000 ? [:] : exchange(&known.keyPaths, with: [:])
    }
    return withExtendedLifetime(dropped) { keys }
  }

  static func declared(by environment: some DependencyEnvironment) -> Set<ObjectIdentifier> {
    let id = ObjectIdentifier(type(of: environment))
    if let keys = known.withLock({ $0.environments[id] }) { return keys }
    let keys = Set(
      environment.declaredDependencies.flatMap(\.wrapper.keys).map { ObjectIdentifier($0) })
    known.withLock { $0.environments[id] = keys }
    return keys
  }
}
