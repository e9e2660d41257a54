// Swift can't choose between overloads by isolation and sendability alone, so these have `on`. Its
// default value ranks them last for a closure literal that doesn't name its actor.

extension DependencyScope {
  /// Binds a closure of the main actor to this scope.
  ///
  /// The returned closure stays on the main actor, and runs in this scope, regardless of the code
  /// that calls it. Binding costs one closure; calling the closure costs as much as `run`. Pass
  /// `on:` for a closure literal that doesn't name the actor:
  ///
  /// ```swift
  /// button.onTap = scope.bind(on: MainActor.self) { model.refresh() }
  /// ```
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (repeat each Argument) -> Result
  ) -> @MainActor (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      run { closure(repeat each argument) }
    }
  }

  /// Binds a throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (repeat each Argument) throws -> Result
  ) -> @MainActor (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in
      try run { try closure(repeat each argument) }
    }
  }
}

// One overload per arity, as for other asynchronous closures.

extension DependencyScope {
  /// Binds an asynchronous closure of the main actor to this scope.
  ///
  /// The returned closure stays on the main actor, and runs in this scope, regardless of the code
  /// that calls it. Pass `on:` for a closure literal: without it, an asynchronous
  /// `{ @MainActor in … }` runs on the main actor, too, but the type of the returned closure
  /// doesn't say so.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor () async -> Result
  ) -> @MainActor () async -> Result {
    { await enter { await closure() } }
  }

  /// Binds an asynchronous closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A) async -> Result
  ) -> @MainActor (A) async -> Result {
    { a in await enter { await closure(a) } }
  }

  /// Binds an asynchronous closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B) async -> Result
  ) -> @MainActor (A, B) async -> Result {
    { a, b in await enter { await closure(a, b) } }
  }

  /// Binds an asynchronous closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C) async -> Result
  ) -> @MainActor (A, B, C) async -> Result {
    { a, b, c in await enter { await closure(a, b, c) } }
  }

  /// Binds an asynchronous closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C, D) async -> Result
  ) -> @MainActor (A, B, C, D) async -> Result {
    { a, b, c, d in await enter { await closure(a, b, c, d) } }
  }

  /// Binds an asynchronous throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor () async throws -> Result
  ) -> @MainActor () async throws -> Result {
    { try await enter { try await closure() } }
  }

  /// Binds an asynchronous throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A) async throws -> Result
  ) -> @MainActor (A) async throws -> Result {
    { a in try await enter { try await closure(a) } }
  }

  /// Binds an asynchronous throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B) async throws -> Result
  ) -> @MainActor (A, B) async throws -> Result {
    { a, b in try await enter { try await closure(a, b) } }
  }

  /// Binds an asynchronous throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C) async throws -> Result
  ) -> @MainActor (A, B, C) async throws -> Result {
    { a, b, c in try await enter { try await closure(a, b, c) } }
  }

  /// Binds an asynchronous throwing closure of the main actor to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C, D) async throws -> Result
  ) -> @MainActor (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await enter { try await closure(a, b, c, d) } }
  }
}
