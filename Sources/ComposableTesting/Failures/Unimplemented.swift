public import Testing

/// Makes a closure that fails the running test when it is called, and returns a placeholder.
///
/// For what a test does not expect to be used. It fits wherever a closure is asked for, with any
/// number of arguments, synchronous or asynchronous, throwing or not:
///
/// ```swift
/// extension APIClient {
///   static let unimplemented = APIClient(
///     fetch: ComposableTesting.unimplemented("apiClient.fetch", placeholder: []),
///     log: ComposableTesting.unimplemented("apiClient.log"))
/// }
/// ```
///
/// The failure names the dependency and the place of the call of this function. A result of `Void`
/// needs no placeholder, and neither does a closure that throws: it throws an ``UnimplementedError``.
///
/// As a ``/ComposableDependencies/DependencyKey/testValue`` it is what a test reads that overrides
/// nothing. A module that ships cannot import this one, which links Swift Testing; let the closures
/// of its test values `report()` a ``/ComposableDependencies/DependencyIssue`` instead, which fails
/// a test in a scope made for it just the same.
///
/// - Parameters:
///   - name: What the closure is called where it is read, as `apiClient.fetch`.
///   - placeholder: What the closure returns; computed at each call.
///   - sourceLocation: Where the closure is declared.
public func unimplemented<each Argument, Result>(
  _ name: String,
  placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> @Sendable (repeat each Argument) -> Result {
  let error = UnimplementedError(name: name, sourceLocation: sourceLocation)
  return { (_: repeat each Argument) in
    error.failTest()
    return placeholder()
  }
}

/// Makes a closure that fails the running test when it is called, and throws an
/// ``UnimplementedError``.
///
/// A closure that declares the type of its errors needs a placeholder instead.
///
/// - Parameters:
///   - name: What the closure is called where it is read, as `apiClient.fetch`.
///   - sourceLocation: Where the closure is declared.
public func unimplemented<each Argument, Result>(
  _ name: String,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> @Sendable (repeat each Argument) throws -> Result {
  let error = UnimplementedError(name: name, sourceLocation: sourceLocation)
  return { (_: repeat each Argument) in
    error.failTest()
    throw error
  }
}
