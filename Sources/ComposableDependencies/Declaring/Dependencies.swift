/// The namespace of all dependencies: each is a computed property of this type.
///
/// A property reads and sets the value of a ``DependencyKey``, which may be private:
///
/// ```swift
/// extension Dependencies {
///   var apiClient: APIClient {
///     get { self[APIClientKey.self] }
///     set { self[APIClientKey.self] = newValue }
///   }
/// }
/// ```
///
/// A property computed from others needs no key, and sees their overrides:
///
/// ```swift
/// extension Dependencies {
///   var isOnline: Bool { reachability.status == .online && !settings.worksOffline }
/// }
/// ```
///
/// In a module that isolates to the main actor by default, write `nonisolated extension`.
///
/// You meet a value of this type in these properties and in `withDependencies`, where setting a
/// property overrides it in the new scope.
public struct Dependencies: Sendable {
  // Nothing else, because a structure of two references is retained where it is passed on.
  @usableFromInline var node: ScopeNode?

  // Transparent and consuming, so that debug builds don't retain the scope for the call.
  @_alwaysEmitIntoClient
  @_transparent
  init(node: consuming ScopeNode?) {
    self.node = consume node
  }

  /// The value of a key in this scope.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - function: The property that reads or sets the key, for reports.
  /// - Complexity: A read costs about the same at any number of overrides and any depth of scopes. It
  ///   allocates nothing.
  @_alwaysEmitIntoClient
  public subscript<Key: DependencyKey>(
    key: Key.Type, function: StaticString = #function
  ) -> Key.Value {
    @_transparent get { node.value(of: key, readBy: function) }
    @_transparent set { override(Key.self, with: newValue, setBy: function) }
  }
}

extension DependencyScope {
  /// The value of a dependency in this scope.
  @_alwaysEmitIntoClient
  public subscript<Value>(keyPath: KeyPath<Dependencies, Value>) -> Value {
    Dependencies(node: node)[keyPath: keyPath]
  }

  /// The value of a dependency in this scope.
  @_alwaysEmitIntoClient
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    Dependencies(node: node)[keyPath: keyPath]
  }

  /// The value of a key in this scope.
  ///
  /// Use it for a key without a property, or for the fastest possible read.
  @_alwaysEmitIntoClient
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    Dependencies(node: node)[key]
  }
}

// MARK: - The property wrapper

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
