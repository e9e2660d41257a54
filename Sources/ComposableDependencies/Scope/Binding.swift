extension DependencyScope {
  /// Carries this scope into a closure that is called from somewhere else.
  ///
  /// The closure that is returned runs in this scope whoever calls it: a dispatch queue, another
  /// task, a delegate. Binding costs one closure; calling it costs what `run` does.
  ///
  /// ```swift
  /// queue.async(execute: DependencyScope.current.bind { upload() })
  /// ```
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      run { closure(repeat each argument) }
    }
  }

  /// Carries this scope into a closure that throws, and that is called from somewhere else.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) throws -> Result
  ) -> (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in
      try run { try closure(repeat each argument) }
    }
  }

  /// Carries this scope into a sendable closure that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      run { closure(repeat each argument) }
    }
  }

  /// Carries this scope into a sendable closure that throws, and that is called from somewhere else.
  @_alwaysEmitIntoClient
  public func bind<each Argument, Result>(
    _ closure: @escaping @Sendable (repeat each Argument) throws -> Result
  ) -> @Sendable (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in
      try run { try closure(repeat each argument) }
    }
  }
}
