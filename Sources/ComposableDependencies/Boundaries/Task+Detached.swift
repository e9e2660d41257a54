extension Task where Failure == Never {
  /// Runs an operation in a detached task, in a given scope.
  ///
  /// A detached task inherits neither actor nor priority nor scope; this one runs in `scope`.
  ///
  /// ```swift
  /// Task.detached(in: .current) { await audit.flush() }
  /// ```
  @_alwaysEmitIntoClient
  @discardableResult
  public static func detached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task.detached(name: name, priority: priority) {
      await scope.enter { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Runs a throwing operation in a detached task, in a given scope.
  ///
  /// A detached task inherits neither actor nor priority nor scope; this one runs in `scope`.
  @_alwaysEmitIntoClient
  @discardableResult
  public static func detached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.detached(name: name, priority: priority) {
      try await scope.enter { try await operation() }
    }
  }
}
