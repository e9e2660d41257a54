// One for each arity, as for sendable closures.

extension DependencyScope {
  /// Carries this scope into an asynchronous closure that is not sendable.
  ///
  /// The closure that is returned runs in this scope, and is no more sendable than the one given.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping () async -> Result
  ) -> () async -> Result {
    { await run { await closure() } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping (A) async -> Result
  ) -> (A) async -> Result {
    { a in await run { await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping (A, B) async -> Result
  ) -> (A, B) async -> Result {
    { a, b in await run { await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping (A, B, C) async -> Result
  ) -> (A, B, C) async -> Result {
    { a, b, c in await run { await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping (A, B, C, D) async -> Result
  ) -> (A, B, C, D) async -> Result {
    { a, b, c, d in await run { await closure(a, b, c, d) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable that throws.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping () async throws -> Result
  ) -> () async throws -> Result {
    { try await run { try await closure() } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable that throws.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping (A) async throws -> Result
  ) -> (A) async throws -> Result {
    { a in try await run { try await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable that throws.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping (A, B) async throws -> Result
  ) -> (A, B) async throws -> Result {
    { a, b in try await run { try await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable that throws.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping (A, B, C) async throws -> Result
  ) -> (A, B, C) async throws -> Result {
    { a, b, c in try await run { try await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure that is not sendable that throws.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping (A, B, C, D) async throws -> Result
  ) -> (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await run { try await closure(a, b, c, d) } }
  }
}
