// `on` tells these overloads from the others, which Swift does not by isolation and sendability
// alone; and its default ranks them last for a literal that does not say where it runs.

extension DependencyScope {
  /// Carries this scope into a closure of the main actor.
  ///
  /// The closure that is returned stays on the main actor, and runs in this scope whoever calls it.
  /// Binding costs one closure; calling it costs what `run` does. Name the actor where the closure
  /// is a literal that does not:
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

  /// Carries this scope into a closure of the main actor that throws.
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

// One for each arity, as elsewhere.

extension DependencyScope {
  /// Carries this scope into an asynchronous closure of the main actor.
  ///
  /// The closure that is returned stays on the main actor, and runs in this scope whoever calls it.
  /// A literal is taken for one of the main actor only where the actor is named here: an
  /// asynchronous `{ @MainActor in … }` alone runs there too, but what is returned does not say so.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor () async -> Result
  ) -> @MainActor () async -> Result {
    { await run { await closure() } }
  }

  /// Carries this scope into an asynchronous closure of the main actor.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A) async -> Result
  ) -> @MainActor (A) async -> Result {
    { a in await run { await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B) async -> Result
  ) -> @MainActor (A, B) async -> Result {
    { a, b in await run { await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C) async -> Result
  ) -> @MainActor (A, B, C) async -> Result {
    { a, b, c in await run { await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C, D) async -> Result
  ) -> @MainActor (A, B, C, D) async -> Result {
    { a, b, c, d in await run { await closure(a, b, c, d) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor that throws.
  @_alwaysEmitIntoClient
  public func bind<Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor () async throws -> Result
  ) -> @MainActor () async throws -> Result {
    { try await run { try await closure() } }
  }

  /// Carries this scope into an asynchronous closure of the main actor that throws.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A) async throws -> Result
  ) -> @MainActor (A) async throws -> Result {
    { a in try await run { try await closure(a) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B) async throws -> Result
  ) -> @MainActor (A, B) async throws -> Result {
    { a, b in try await run { try await closure(a, b) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C) async throws -> Result
  ) -> @MainActor (A, B, C) async throws -> Result {
    { a, b, c in try await run { try await closure(a, b, c) } }
  }

  /// Carries this scope into an asynchronous closure of the main actor that throws.
  @_alwaysEmitIntoClient
  public func bind<A, B, C, D, Result>(
    on actor: MainActor.Type = MainActor.self,
    _ closure: @escaping @MainActor (A, B, C, D) async throws -> Result
  ) -> @MainActor (A, B, C, D) async throws -> Result {
    { a, b, c, d in try await run { try await closure(a, b, c, d) } }
  }
}
