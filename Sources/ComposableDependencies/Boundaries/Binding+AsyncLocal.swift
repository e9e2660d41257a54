// One overload per arity, as for sendable closures.

extension DependencyScope {
  /// Binds an asynchronous closure that isn't sendable to this scope.
  ///
  /// The closure that is returned runs in this scope, on the actor that calls it, and is no more
  /// sendable than the one given.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping () async -> Result
  ) -> () async -> Result {
    { await enter { await closure() } }
  }

  /// Binds an asynchronous closure that isn't sendable to this scope.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping (A) async -> Result
  ) -> (A) async -> Result {
    { a in await enter { await closure(a) } }
  }

  /// Binds an asynchronous closure that isn't sendable to this scope.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping (A, B) async -> Result
  ) -> (A, B) async -> Result {
    { a, b in await enter { await closure(a, b) } }
  }

  /// Binds an asynchronous closure that isn't sendable to this scope.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping (A, B, C) async -> Result
  ) -> (A, B, C) async -> Result {
    { a, b, c in await enter { await closure(a, b, c) } }
  }

  /// Binds an asynchronous closure that isn't sendable to this scope.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping (A, B, C, D) async -> Result
  ) -> (A, B, C, D) async -> Result {
    { a, b, c, d in await enter { await closure(a, b, c, d) } }
  }

  /// Carries this scope into an asynchronous closure that throws and is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<Result>(
    _ closure: @escaping () async throws -> Result
  ) -> () async throws -> Result {
    { try await enter { try await closure() } }
  }

  /// Carries this scope into an asynchronous closure that throws and is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping (A) async throws -> Result
  ) -> (A) async throws -> Result {
    { a in try await enter { try await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure that throws and is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    _ closure: @escaping (A, B) async throws -> Result
  ) -> (A, B) async throws -> Result {
    { a, b in try await enter { try await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure that throws and is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    _ closure: @escaping (A, B, C) async throws -> Result
  ) -> (A, B, C) async throws -> Result {
    { a, b, c in try await enter { try await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure that throws and is not sendable.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    _ closure: @escaping (A, B, C, D) async throws -> Result
  ) -> (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await enter { try await closure(a, b, c, d) } }
  }
}
