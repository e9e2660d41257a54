public import ComposableDependencies

/// Runs an operation in a scope made for the running test, with some dependencies overridden.
///
/// It does what the trait ``Testing/Trait/dependencies(reportingLostScopes:_:)`` does, for tests
/// that have no traits:
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
/// The outermost call makes an isolated scope, in which the default of a key is its
/// ``/ComposableDependencies/DependencyKey/testValue``. One inside it **adds** to that scope.
///
/// - Parameters:
///   - update: Sets what the test shall read. What it reads itself is in the new scope.
///   - operation: Runs in the new scope, as does every task that it makes.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
@discardableResult
public func withTestDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void = { _ in }, operation: () throws(E) -> R
) throws(E) -> R {
  try TestScope.run(update, operation)
}

/// Runs an asynchronous operation in a scope made for the running test, on the caller's actor.
///
/// The outermost call makes an isolated scope, in which the default of a key is its
/// ``/ComposableDependencies/DependencyKey/testValue``. One inside it **adds** to that scope.
///
/// - Parameters:
///   - update: Sets what the test shall read. What it reads itself is in the new scope.
///   - operation: Runs in the new scope, as does every task that it makes.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
@discardableResult
nonisolated(nonsending) public func withTestDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void = { _ in },
  operation: nonisolated(nonsending) () async throws(E) -> R
) async throws(E) -> R {
  try await TestScope.run(update, operation)
}
