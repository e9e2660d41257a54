internal import TestRuntime
public import ComposableDependencies

/// Runs an operation in a scope for the running test, with some dependencies overridden.
///
/// It does what the trait ``Testing/Trait/dependencies(reporting:fileID:line:_:)`` does, for tests
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
/// `DependencyKey.testValue`. Nested calls **add** to that scope.
///
/// - Parameters:
///   - reports: What the test reports about the dependencies that it uses.
///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that failures name as the place of the overrides.
///   - line: The line that failures name as the place of the overrides.
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@discardableResult
public func withTestDependencies<R, E: Error>(
  reporting reports: DependencyReports = [],
  _ update: (inout Dependencies) -> Void = { _ in },
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: () throws(E) -> R
) throws(E) -> R {
  let place = SourcePlace(fileID: fileID, line: line)
  let use = OverrideUse()
  defer { if reports.contains(.unusedOverrides) { use.report(at: place) } }
  return try TestScope.run(update, at: place, reporting: reports, use, operation)
}

/// Runs an asynchronous operation in a scope for the running test, with some dependencies overridden.
///
/// The outermost call creates an isolated scope, in which unset keys read
/// `DependencyKey.testValue`. Nested calls **add** to that scope.
///
/// A closure that you write in an actor's code stays on that actor, and the values that it captures
/// needn't be sendable. In a `nonisolated` method, the closure runs off its caller's actor, as one
/// passed to `TaskLocal.withValue` does.
///
/// - Parameters:
///   - reports: What the test reports about the dependencies that it uses.
///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides
///     made so far.
///   - isolation: The caller's actor. Leave it out.
///   - fileID: The file that failures name as the place of the overrides.
///   - line: The line that failures name as the place of the overrides.
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@discardableResult
public func withTestDependencies<R, E: Error>(
  reporting reports: DependencyReports = [],
  _ update: (inout Dependencies) -> Void = { _ in },
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: @concurrent () async throws(E) -> R
) async throws(E) -> R {
  let place = SourcePlace(fileID: fileID, line: line)
  let use = OverrideUse()
  defer { if reports.contains(.unusedOverrides) { use.report(at: place) } }
  return try await TestScope.run(update, at: place, reporting: reports, use, operation: operation)
}

/// Not available: write `Dependencies.unimplemented("apiClient.fetch")`.
@available(
  *, unavailable, message: "write `Dependencies.unimplemented(…)`, with the same arguments"
)
public func unimplemented<each Argument, Result>(
  _ name: String, placeholder: @autoclosure @escaping @Sendable () -> Result = ()
) -> @Sendable (repeat each Argument) -> Result {
  Dependencies.unimplemented(name, placeholder: placeholder())
}
