public import ComposableDependencies

/// Runs an operation in a scope for the running test, with some dependencies overridden.
///
/// It does what the trait ``Testing/Trait/dependencies(reportingLostScopes:_:)`` does, for tests
/// without traits:
///
/// ```swift
/// final class SearchTests: XCTestCase {
///   override func invokeTest() {
///     withTestDependencies {
///       $0.retryLimit = 1
///     } operation: {
///       super.invokeTest()
///     }
///   }
/// }
/// ```
///
/// The outermost call creates an isolated scope, in which unset keys read
/// ``/ComposableDependencies/DependencyKey/testValue``. Nested calls **add** to that scope.
///
/// - Parameters:
///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides
///     made so far.
///   - operation: Runs in the new scope, as does every task that it creates.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@discardableResult
public func withTestDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void = { _ in }, operation: () throws(E) -> R
) throws(E) -> R {
  try TestScope.run(update, operation)
}

/// Runs an asynchronous operation in a scope made for the running test.
///
/// The outermost call creates an isolated scope, in which unset keys read
/// ``/ComposableDependencies/DependencyKey/testValue``. Nested calls **add** to that scope.
///
/// `operation` runs where a closure given to `TaskLocal.withValue` runs, and may capture what that
/// may: a closure that is written on an actor stays on it, and captured values needn't be sendable.
///
/// - Parameters:
///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides made so
///     far.
///   - isolation: The caller's actor. Leave it out.
///   - operation: Runs in the new scope, and so does every task that it makes.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
@discardableResult
public func withTestDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void = { _ in },
  isolation: isolated (any Actor)? = #isolation,
  operation: @concurrent () async throws(E) -> R
) async throws(E) -> R {
  try await TestScope.run(update, operation: operation)
}
