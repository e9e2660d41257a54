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

extension Task where Failure == Never {
  /// Starts an operation immediately, on the calling thread, in a detached task and in a given
  /// scope.
  ///
  /// Like `Task.immediateDetached`, it inherits neither priority nor scope; the operation is in
  /// `scope` from its first line on. On an actor, an operation isolated to that actor starts
  /// immediately, which is what `isolation` is for.
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
      await scope.enter { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Starts a throwing operation immediately, on the calling thread, in a detached task and in a
  /// given scope.
  ///
  /// Like `Task.immediateDetached`, it inherits neither priority nor scope; the operation is in
  /// `scope` from its first line on. On an actor, an operation isolated to that actor starts
  /// immediately, which is what `isolation` is for.
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
      try await scope.enter { try await operation() }
    }
  }
}
