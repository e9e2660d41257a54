public import ComposableDependencies

/// The source of other resources and ordinary dependencies for a resource's `open`.
///
/// ```swift
/// static func open(_ needs: ResourceOpening) async throws -> Session {
///   let pool = try await needs(PoolKey.self)
///   return try await pool.connect(timeout: needs[\.connectionTimeout])
/// }
/// ```
public struct ResourceOpening: Sendable {
  /// The scope of the lifetime that opens the resource.
  let scope: DependencyScope
  let handle: LifetimeHandle

  /// Returns another resource, which is closed after the resource that asks for it.
  ///
  /// The resource comes from the nearest lifetime that has it. If none does, this call opens it in
  /// the lifetime of the resource that asks. If it is overridden or set globally, this call returns
  /// that value.
  ///
  /// - Throws: The error of the other resource's `open`; a ``ResourceError`` if the two wait for
  ///   each other; `CancellationError` if the opening is cancelled.
  public func callAsFunction<Key: ResourceKey>(_ key: Key.Type) async throws -> Key.Value {
    try await scope.value(of: key, for: handle)
  }

  /// The value of an ordinary dependency in the lifetime's scope.
  ///
  /// For resources of the same lifetime, use ``callAsFunction(_:)``.
  public subscript<Value>(keyPath: KeyPath<Dependencies, Value>) -> Value {
    scope[keyPath]
  }
}
