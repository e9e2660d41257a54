public import ComposableDependencies

/// A dependency that must be opened asynchronously, shared while it is open, and closed.
///
/// ```swift
/// enum PoolKey: ResourceKey {
///   static var defaultValue: Pool { .unavailable }
///
///   static func open(_ needs: ResourceOpening) async throws -> Pool {
///     try await Pool.connect(to: needs[\.databaseURL])
///   }
///
///   static func run(_ pool: Pool) async throws {
///     await pool.keepAlive()
///   }
///
///   static func close(_ pool: Pool) async {
///     await pool.shutDown()
///   }
/// }
/// ```
///
/// ``withResources(_:isolation:fileID:line:operation:)`` opens it, and closes it when its operation
/// ends. Inside the operation it is an ordinary dependency, read synchronously. Outside, a read
/// returns the default value.
///
/// Override a resource like any dependency. A resource that is overridden or set globally isn't
/// opened.
public protocol ResourceKey<Value>: DependencyKey {
  /// Opens the resource.
  ///
  /// It runs once per lifetime, in a task of that lifetime and in the scope that called
  /// ``withResources(_:isolation:fileID:line:operation:)``, with what the lifetime has opened so far.
  /// The task is canceled when the lifetime fails or its caller is canceled, so an `open` that waits
  /// must respond to cancellation. If it still returns a value, that value is closed.
  ///
  /// - Parameter needs: Provides the other resources and dependencies that this one is created
  ///   from.
  static func open(_ needs: ResourceOpening) async throws -> Value

  /// Does work while the resource is open, such as the `run()` of a client or a background job.
  ///
  /// It reads what its lifetime has opened so far, including this resource, and so does ``close(_:)``.
  /// It is canceled after everything that was opened from this resource is closed, and must then
  /// return: ``close(_:)`` waits for it. If it throws earlier, the lifetime cancels its operation
  /// and throws that error. Returning early has no effect.
  ///
  /// By default, a resource does no such work.
  static func run(_ value: Value) async throws

  /// Closes the resource.
  ///
  /// It runs once for each value that ``open(_:)`` returned, after everything that was opened from
  /// that value is closed. It runs in its own task, which is never canceled.
  ///
  /// It can't throw, because its error would hide the result or the error of the operation. Handle
  /// errors here: log them, or store them in the value.
  static func close(_ value: Value) async
}

extension ResourceKey {
  /// Returns immediately.
  public static func run(_ value: Value) async throws {}
}

/// The source of other resources and ordinary dependencies for a resource's `open`.
///
/// ```swift
/// static func open(_ needs: ResourceOpening) async throws -> Session {
///   let pool = try await needs(PoolKey.self)
///   return try await pool.connect(timeout: needs[\.connectionTimeout])
/// }
/// ```
public struct ResourceOpening: Sendable {
  let resource: Resource

  /// The scope of the lifetime, with everything that it has opened so far.
  private var scope: DependencyScope {
    ResourceGraph.update { $0[resource.lifetime].opened }
  }

  /// Returns another resource, which is closed after the resource that asks for it.
  ///
  /// The resource comes from the nearest lifetime that has it. If none does, this call opens it in
  /// the lifetime of the resource that asks. If it is overridden or set globally, this call returns
  /// that value.
  ///
  /// - Throws: The error of the other resource's `open`; a ``ResourceError`` if the two wait for
  ///   each other; `CancellationError` if the opening is canceled.
  public func callAsFunction<Key: ResourceKey>(_ key: Key.Type) async throws -> Key.Value {
    try await scope.value(of: key, in: resource.lifetime, for: resource)
  }

  /// The value of a dependency in the lifetime's scope, with what the lifetime has opened so far.
  ///
  /// For a resource that must be open, and stay so until this one is closed, use
  /// ``callAsFunction(_:)``.
  public subscript<Value>(keyPath: KeyPath<Dependencies, Value>) -> Value {
    scope[keyPath]
  }
}
