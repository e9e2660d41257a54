// The names that users of swift-dependencies type first, and what to type instead.

/// Not available: set the values globally instead.
@available(
  *, unavailable, message: "set the values with `Dependencies.setGlobally { $0.apiClient = .live }`"
)
@discardableResult
public func prepareDependencies<R>(_ update: (inout Dependencies) throws -> R) rethrows -> R {
  fatalError("unavailable")
}

/// Not available: run the operation in the scope that the model captured.
@available(
  *, unavailable,
  message: """
    declare `let scope = DependencyScope.current` in the model, and write \
    `model.scope.with { $0.apiClient = .live }.run { … }`
    """
)
@discardableResult
public func withDependencies<Model, R>(
  from model: Model, _ update: (inout Dependencies) throws -> Void, operation: () throws -> R
) rethrows -> R {
  fatalError("unavailable")
}

/// Not available: run the operation in the scope that the model captured.
@available(
  *, unavailable,
  message: """
    declare `let scope = DependencyScope.current` in the model, and write \
    `await model.scope.with { $0.apiClient = .live }.run { … }`
    """
)
@discardableResult
nonisolated(nonsending) public func withDependencies<Model, R>(
  from model: Model, _ update: (inout Dependencies) async throws -> Void,
  operation: nonisolated(nonsending) () async throws -> R
) async rethrows -> R {
  fatalError("unavailable")
}

/// Not available: run the operation in the scope that the model captured.
@available(
  *, unavailable,
  message:
    "declare `let scope = DependencyScope.current` in the model, and write `model.scope.run { … }`"
)
@discardableResult
public func withDependencies<Model, R>(
  from model: Model, operation: () throws -> R
) rethrows -> R {
  fatalError("unavailable")
}

/// Not available: run the operation in the scope that the model captured.
@available(
  *, unavailable,
  message:
    "declare `let scope = DependencyScope.current` in the model, and write `await model.scope.run { … }`"
)
@discardableResult
nonisolated(nonsending) public func withDependencies<Model, R>(
  from model: Model, operation: nonisolated(nonsending) () async throws -> R
) async rethrows -> R {
  fatalError("unavailable")
}

extension Dependencies {
  /// Not available: run the operation in a scope without overrides.
  @available(
    *, unavailable,
    message: """
      for a scope in which nothing is set, write `DependencyScope.isolated().run { … }`; for one \
      without overrides, `DependencyScope.root.run { … }`
      """
  )
  public init() {
    fatalError("unavailable")
  }
}

// The names of version 0.5.

extension Dependencies {
  /// Not available: use ``resetGlobalValues()``.
  @available(*, unavailable, renamed: "resetGlobalValues()")
  public static func reset() {
    fatalError("unavailable")
  }

  /// Not available: use ``clearGlobalAliases()``.
  @available(*, unavailable, renamed: "clearGlobalAliases()")
  public static func clearAliases() {
    fatalError("unavailable")
  }
}
