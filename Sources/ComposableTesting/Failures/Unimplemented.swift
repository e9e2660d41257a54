internal import TestClocks

/// Creates a closure that fails the running test when it is called, and returns a placeholder.
///
/// Use it for closures that a test doesn't expect to be called. It replaces any closure: with any
/// number of arguments, synchronous or asynchronous, throwing or not.
///
/// ```swift
/// extension APIClient {
///   static let unimplemented = APIClient(
///     fetch: ComposableTesting.unimplemented("apiClient.fetch", placeholder: []),
///     log: ComposableTesting.unimplemented("apiClient.log"))
/// }
/// ```
///
/// The failure names the closure and the line that calls this function. A closure that returns
/// `Void` needs no placeholder, and neither does one that throws: it throws an
/// ``UnimplementedError``.
///
/// In a ``/ComposableDependencies/DependencyKey/testValue``, it fails every test that doesn't
/// override the dependency. But a module that ships can't import this one, which links Swift
/// Testing. There, use ``/ComposableDependencies/Dependencies/unimplemented(_:placeholder:fileID:line:)``.
///
/// - Parameters:
///   - name: The property or dependency that holds the closure, as in `apiClient.fetch`.
///   - placeholder: The result of the closure, computed at each call.
///   - fileID: The file that a failure names.
///   - filePath: The path of that file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
public func unimplemented<each Argument, Result>(
  _ name: String,
  placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  let error = UnimplementedError(
    name: name,
    place: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return { (_: repeat each Argument) in
    error.failTest()
    return placeholder()
  }
}

/// Creates a closure that fails the running test when it is called, and throws an error.
///
/// The error is an ``UnimplementedError``. A closure with typed throws needs a `placeholder`
/// instead.
///
/// - Parameters:
///   - name: The property or dependency that holds the closure, as in `apiClient.fetch`.
///   - fileID: The file that a failure names.
///   - filePath: The path of that file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
public func unimplemented<each Argument, Result>(
  _ name: String,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) throws -> Result {
  let error = UnimplementedError(
    name: name,
    place: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return { (_: repeat each Argument) in
    error.failTest()
    throw error
  }
}
