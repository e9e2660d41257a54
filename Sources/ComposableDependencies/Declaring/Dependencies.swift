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
@frozen
public struct Dependencies: Sendable {
  // Nothing else, because a structure of two references is retained where it is passed on.
  @usableFromInline var node: ScopeNode?

  @_alwaysEmitIntoClient
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
    @_transparent set { add(OverrideOf(Key.self, newValue), setBy: function) }
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
