extension DependencyScope {
  /// Binds a closure that changes its argument to this scope.
  ///
  /// ```swift
  /// let body = ResponseBody(writing: scope.bind { writer in try writer.write(page) })
  /// ```
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (inout A) -> Result
  ) -> @Sendable (inout A) -> Result {
    { (a: inout A) in run { closure(&a) } }
  }

  /// Binds a throwing closure that changes its argument to this scope.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable (inout A) throws -> Result
  ) -> @Sendable (inout A) throws -> Result {
    { (a: inout A) in try run { try closure(&a) } }
  }

  /// Binds an asynchronous closure that changes its argument to this scope.
  ///
  /// The closure leaves the caller's actor. If your module enables `NonisolatedNonsendingByDefault`
  /// and declares such a closure type itself, write `{ argument in await scope.run { … } }`
  /// instead.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable @concurrent (inout A) async -> Result
  ) -> @Sendable @concurrent (inout A) async -> Result {
    { @concurrent (a: inout A) in await run { await closure(&a) } }
  }

  /// Binds an asynchronous throwing closure that changes its argument to this scope.
  ///
  /// For example, the body of a streaming response:
  ///
  /// ```swift
  /// let body = ResponseBody(scope.bind { writer in try await writer.write(page) })
  /// ```
  ///
  /// The closure leaves the caller's actor. If your module enables `NonisolatedNonsendingByDefault`
  /// and declares such a closure type itself, write `{ argument in try await scope.run { … } }`
  /// instead.
  @_alwaysEmitIntoClient
  public func bind<A, Result>(
    _ closure: @escaping @Sendable @concurrent (inout A) async throws -> Result
  ) -> @Sendable @concurrent (inout A) async throws -> Result {
    { @concurrent (a: inout A) in try await run { try await closure(&a) } }
  }
}
