// One function with a generic typed error would do, but calls of it crash the Swift 6.3 compiler.

extension DependencyScope {
  /// Binds a closure to this scope.
  ///
  /// The returned closure runs in this scope, even if a dispatch queue, another task or a delegate
  /// calls it. Binding costs one closure; calling the closure costs as much as `run`.
  ///
  /// ```swift
  /// queue.async(execute: DependencyScope.current.bind { upload() })
  /// ```
  ///
  /// If the closure is asynchronous, belongs to an actor or has an `inout` parameter, call `run` in
  /// it instead: `{ await scope.run { await upload() } }`.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      run { closure(repeat each argument) }
    }
  }

  /// Binds a throwing closure to this scope.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) throws -> Result
  ) -> (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in
      try run { try closure(repeat each argument) }
    }
  }

  /// Binds a sendable closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      run { closure(repeat each argument) }
    }
  }

  /// Binds a sendable throwing closure to this scope.
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping @Sendable (repeat each Argument) throws -> Result
  ) -> @Sendable (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in
      try run { try closure(repeat each argument) }
    }
  }
}
