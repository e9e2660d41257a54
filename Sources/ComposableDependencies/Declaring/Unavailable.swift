// What users of swift-dependencies and of version 0.5 type first, and what to type instead.

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
