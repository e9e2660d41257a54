package import ComposableDependencies
package import Environments
internal import Synchronization

/// A read through an environment that doesn't declare what it reads.
package struct UndeclaredRead: Sendable {
  package let environment: any DependencyEnvironment.Type
  package let key: any DependencyKey.Type
}

extension UndeclaredRead {
  /// The keys that an environment reads without declaring them.
  static func reads<Value>(
    of keyPath: KeyPath<Dependencies, Value>, through environment: some ScopeCapturing
  ) -> [UndeclaredRead] {
    let declared = KnownKeys.declared(by: environment)
    return KnownKeys.keys(of: keyPath, in: environment.scope).compactMap { key in
      if declared.contains(ObjectIdentifier(key)) { return nil }
      return UndeclaredRead(environment: type(of: environment), key: key)
    }
  }
}

/// The keys of key paths and of declarations, each found once, because finding one reads it.
private enum KnownKeys {
  private static let ofKeyPaths = KeyPathCache<[any DependencyKey.Type]>()
  private static let ofEnvironments = Mutex<[ObjectIdentifier: Set<ObjectIdentifier>]>([:])

  static func keys<Value>(
    of keyPath: KeyPath<Dependencies, Value>, in scope: DependencyScope
  ) -> [any DependencyKey.Type] {
    if let keys = ofKeyPaths[keyPath] { return keys }
    let keys = scope.keys { _ = $0[keyPath] }
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
