// An asynchronous closure over a parameter pack crashes the 6.3 compiler; hence one for each arity.

extension DependencyScope {
  /// Carries this scope into an asynchronous closure that is called from somewhere else.
  ///
  /// The closure that is returned runs in this scope whoever calls it, on its caller's actor.
  /// Binding costs one closure; calling it costs what `run` does.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping @Sendable () async -> Result
  ) -> @Sendable () async -> Result {
    { await run { await closure() } }
  }

  /// Carries this scope into an asynchronous closure that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (A) async -> Result
  ) -> @Sendable (A) async -> Result {
    { a in await run { await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping @Sendable (A, B) async -> Result
  ) -> @Sendable (A, B) async -> Result {
    { a, b in await run { await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping @Sendable (A, B, C) async -> Result
  ) -> @Sendable (A, B, C) async -> Result {
    { a, b, c in await run { await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping @Sendable (A, B, C, D) async -> Result
  ) -> @Sendable (A, B, C, D) async -> Result {
    { a, b, c, d in await run { await closure(a, b, c, d) } }
  }

  /// Carries this scope into an asynchronous closure that throws.
  ///
  /// The closure that is returned runs in this scope whoever calls it, on its caller's actor.
  /// Binding costs one closure; calling it costs what `run` does.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    { try await run { try await closure() } }
  }

  /// Carries this scope into an asynchronous closure that throws.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (A) async throws -> Result
  ) -> @Sendable (A) async throws -> Result {
    { a in try await run { try await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping @Sendable (A, B) async throws -> Result
  ) -> @Sendable (A, B) async throws -> Result {
    { a, b in try await run { try await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping @Sendable (A, B, C) async throws -> Result
  ) -> @Sendable (A, B, C) async throws -> Result {
    { a, b, c in try await run { try await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping @Sendable (A, B, C, D) async throws -> Result
  ) -> @Sendable (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await run { try await closure(a, b, c, d) } }
  }
}
