extension Task where Failure == Never {
  /// Runs an operation in a detached task, in a scope.
  ///
  /// A detached task inherits nothing of where it is made, neither actor nor priority nor scope;
  /// this one is in the scope that is named.
  ///
  /// ```swift
  /// Task.detached(in: .current) { await audit.flush() }
  /// ```
  @discardableResult
  public static func detached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task.detached(name: name, priority: priority) {
      await scope.run { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Runs a throwing operation in a detached task, in a scope.
  ///
  /// A detached task inherits nothing of where it is made, neither actor nor priority nor scope;
  /// this one is in the scope that is named.
  @discardableResult
  public static func detached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.detached(name: name, priority: priority) {
      try await scope.run { try await operation() }
    }
  }
}
