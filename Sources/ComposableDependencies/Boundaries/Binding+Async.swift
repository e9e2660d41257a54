// An asynchronous closure over a parameter pack crashes the Swift 6.3 compiler, so there is one
// overload per arity.

extension DependencyScope {
  /// Binds an asynchronous closure to this scope.
  ///
  /// The closure that is returned runs in this scope, on the actor that calls it. It leaves that actor
  /// if `closure` does: if it belongs to another actor, or is `@concurrent`. In a module without
  /// `NonisolatedNonsendingByDefault`, a function value that is declared `() async -> Void` is
  /// `@concurrent`, and a closure that you write in the call isn't.
  ///
  /// Binding costs one closure; calling it costs what `run` does.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping @Sendable () async -> Result
  ) -> @Sendable () async -> Result {
    { await enter { await closure() } }
  }

  /// Binds an asynchronous closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (A) async -> Result
  ) -> @Sendable (A) async -> Result {
    { a in await enter { await closure(a) } }
  }

  /// Binds an asynchronous closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping @Sendable (A, B) async -> Result
  ) -> @Sendable (A, B) async -> Result {
    { a, b in await enter { await closure(a, b) } }
  }

  /// Binds an asynchronous closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping @Sendable (A, B, C) async -> Result
  ) -> @Sendable (A, B, C) async -> Result {
    { a, b, c in await enter { await closure(a, b, c) } }
  }

  /// Binds an asynchronous closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping @Sendable (A, B, C, D) async -> Result
  ) -> @Sendable (A, B, C, D) async -> Result {
    { a, b, c, d in await enter { await closure(a, b, c, d) } }
  }

  /// Binds an asynchronous throwing closure to this scope.
  ///
  /// The closure that is returned runs in this scope, on the actor that calls it. It leaves that actor
  /// if `closure` does: if it belongs to another actor, or is `@concurrent`. In a module without
  /// `NonisolatedNonsendingByDefault`, a function value that is declared `() async -> Void` is
  /// `@concurrent`, and a closure that you write in the call isn't.
  ///
  /// Binding costs one closure; calling it costs what `run` does.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    { try await enter { try await closure() } }
  }

  /// Binds an asynchronous throwing closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (A) async throws -> Result
  ) -> @Sendable (A) async throws -> Result {
    { a in try await enter { try await closure(a) } }
  }

  /// Binds an asynchronous throwing closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping @Sendable (A, B) async throws -> Result
  ) -> @Sendable (A, B) async throws -> Result {
    { a, b in try await enter { try await closure(a, b) } }
  }

  /// Binds an asynchronous throwing closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping @Sendable (A, B, C) async throws -> Result
  ) -> @Sendable (A, B, C) async throws -> Result {
    { a, b, c in try await enter { try await closure(a, b, c) } }
  }

  /// Binds an asynchronous throwing closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping @Sendable (A, B, C, D) async throws -> Result
  ) -> @Sendable (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await enter { try await closure(a, b, c, d) } }
  }
}
