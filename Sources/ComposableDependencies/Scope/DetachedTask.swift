extension Task where Failure == Never {
  /// Runs an operation in a detached task, in a scope.
  ///
  /// A detached task inherits nothing of where it is made, neither actor nor priority nor scope;
  /// this one is in the scope that is named.
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
      await scope.run { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Runs a throwing operation in a detached task, in a scope.
  ///
  /// A detached task inherits nothing of where it is made, neither actor nor priority nor scope;
  /// this one is in the scope that is named.
  @_alwaysEmitIntoClient
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

extension Task where Failure == Never {
  /// Starts an operation at once, on the calling thread, in a detached task and in a scope.
  ///
  /// As `Task.immediateDetached`, and so it inherits neither priority nor scope of where it is made;
  /// it is in the scope that is named from its first line on. Where it is made on an actor, and its
  /// operation is that actor's, it starts there at once: `isolation` sees to that.
  @available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *)
  @_alwaysEmitIntoClient
  @discardableResult
  public static func immediateDetached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture @_inheritActorContext(always)
    operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task.immediateDetached(name: name, priority: priority) {
      await scope.run { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Starts a throwing operation at once, on the calling thread, in a detached task and in a scope.
  ///
  /// As `Task.immediateDetached`, and so it inherits neither priority nor scope of where it is made;
  /// it is in the scope that is named from its first line on. Where it is made on an actor, and its
  /// operation is that actor's, it starts there at once: `isolation` sees to that.
  @available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *)
  @_alwaysEmitIntoClient
  @discardableResult
  public static func immediateDetached(
    name: String? = nil,
    priority: TaskPriority? = nil,
    in scope: DependencyScope,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture @_inheritActorContext(always)
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.immediateDetached(name: name, priority: priority) {
      try await scope.run { try await operation() }
    }
  }
}
