/// Reads a dependency from the scope in which the property was created.
///
/// ```swift
/// struct Uploader {
///   @Dependency(\.apiClient) var client
///   @Dependency(\.retryLimit) var retryLimit
/// }
/// ```
///
/// The wrapper *captures* the current scope when it is created; where it is read later makes no
/// difference. Its value cannot be set: use `withDependencies`, or an environment's `with`.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  @usableFromInline
  enum Source: Sendable {
    case keyPath(any KeyPath<Dependencies, Value> & Sendable)
    case key(any DependencyKey<Value>.Type)
  }

  @usableFromInline let node = CurrentScope.node
  @usableFromInline let source: Source

  /// Reads a property of ``Dependencies``.
  public init(_ keyPath: any KeyPath<Dependencies, Value> & Sendable) {
    source = .keyPath(keyPath)
  }

  /// Reads a key that has no property of its own, or that is the dependency itself.
  ///
  /// ```swift
  /// @Dependency(APIClient.self) var client
  /// ```
  public init<Key: DependencyKey<Value>>(_ key: Key.Type) {
    source = .key(key)
  }

  /// The value of the dependency in the scope that this property captured.
  @inlinable
  public var wrappedValue: Value {
    let dependencies = Dependencies(node: node)
    switch source {
    case .keyPath(let keyPath): return dependencies[keyPath: keyPath]
    case .key(let key): return value(of: key, in: dependencies)
    }
  }

  @usableFromInline
  func value<Key: DependencyKey<Value>>(
    of key: Key.Type, in dependencies: Dependencies
  ) -> Value {
    dependencies[key]
  }
}
