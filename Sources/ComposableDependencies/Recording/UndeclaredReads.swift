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
  private static let ofKeyPaths = KeyPathCache<[any DependencyKey.Type]>()
  private static let ofEnvironments = Mutex<[ObjectIdentifier: Set<ObjectIdentifier>]>([:])

  static func keys<Value>(
    of keyPath: KeyPath<Dependencies, Value>, in node: ScopeNode?
  ) -> [any DependencyKey.Type] {
    if let keys = ofKeyPaths[keyPath] { return keys }
    let keys = KeyProbe.keys(readIn: node) { _ = $0[keyPath: keyPath] }
    ofKeyPaths.remember(keys, of: keyPath)
    return keys
  }

  static func declared(by environment: some DependencyEnvironment) -> Set<ObjectIdentifier> {
    let id = ObjectIdentifier(type(of: environment))
    if let keys = ofEnvironments.withLock({ $0[id] }) { return keys }
    let keys = Set(
      environment.declaredDependencies.flatMap(\.wrapper.keys).map { ObjectIdentifier($0) })
    ofEnvironments.withLock { $0[id] = keys }
    return keys
  }
}
