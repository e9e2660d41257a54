/// A property that reads a dependency from the scope that it captured at its creation.
///
/// ```swift
/// struct Uploader {
///   @Dependency(\.apiClient) var client
///   @Dependency(\.retryLimit) var retryLimit
/// }
/// ```
///
/// The wrapper *captures* the current scope when it is created, so it reads the same values on any
/// task, thread or actor. You can't set its value: use `withDependencies`, or an environment's
/// `with`.
@propertyWrapper
@frozen
public struct Dependency<Value: Sendable>: Sendable {
  @usableFromInline let node: ScopeNode?
  @usableFromInline let read: @Sendable (Dependencies) -> Value

  // No initializer calls another, because a client would compile both for each type of value.
  /// Reads a property of ``Dependencies``.
  @_alwaysEmitIntoClient
  public init(_ keyPath: any KeyPath<Dependencies, Value> & Sendable) {
    // The optimizer turns a literal key path into a call of its getter, which costs half as much.
    node = CurrentScope.node
    read = { $0[keyPath: keyPath] }
  }

  /// Reads a dependency by its key, for example because it has no property.
  ///
  /// ```swift
  /// @Dependency(APIClient.self) var client
  /// ```
  @_alwaysEmitIntoClient
  public init<Key: DependencyKey<Value>>(_ key: Key.Type) {
    node = CurrentScope.node
    read = { $0[key] }
  }

  /// The value of the dependency in the scope that this property captured.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    read(Dependencies(node: node))
  }
}
