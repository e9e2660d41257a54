extension Dependencies {
  /// Creates a closure that reports an issue when it is called, and returns a placeholder.
  ///
  /// Use it for a default value where none makes sense, or for the test value of a dependency in a
  /// module that ships, which can't import `ComposableTesting`:
  ///
  /// ```swift
  /// extension APIClient: DependencyKey {
  ///   public static var testValue: APIClient {
  ///     APIClient(fetch: Dependencies.unimplemented("apiClient.fetch", placeholder: []))
  ///   }
  /// }
  /// ```
  ///
  /// The issue is a ``DependencyIssue``, which fails a test that has its own scope. A release build
  /// doesn't print it, and the closure returns its placeholder silently.
  ///
  /// It replaces any closure: with any number of arguments, synchronous or asynchronous, throwing or
  /// not. A closure that returns `Void` needs no placeholder, and neither does one that throws: it
  /// throws the issue.
  ///
  /// - Parameters:
  ///   - name: The property or dependency that holds the closure, as in `apiClient.fetch`.
  ///   - placeholder: The result of the closure, computed at each call.
  ///   - fileID: The file that the issue names.
  ///   - line: The line that the issue names.
  public static func unimplemented<each Argument, Result>(
    _ name: String,
    placeholder: @autoclosure @escaping @Sendable () -> Result = (),
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> @Sendable (repeat each Argument) -> Result {
    let place = SourceLocation(fileID: fileID, line: line)
    return { (_: repeat each Argument) in
      unimplementedIssue(name, at: place).report()
      return placeholder()
    }
  }

  /// Creates a closure that reports an issue when it is called, and throws it.
  ///
  /// ```swift
  /// APIClient(fetch: Dependencies.unimplemented("apiClient.fetch"))
  /// ```
  ///
  /// The error is the ``DependencyIssue``. A closure with typed throws needs a `placeholder` instead.
  ///
  /// - Parameters:
  ///   - name: The property or dependency that holds the closure, as in `apiClient.fetch`.
  ///   - fileID: The file that the issue names.
  ///   - line: The line that the issue names.
  public static func unimplemented<each Argument, Result>(
    _ name: String,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> @Sendable (repeat each Argument) throws -> Result {
    let place = SourceLocation(fileID: fileID, line: line)
    return { (_: repeat each Argument) in
      let issue = unimplementedIssue(name, at: place)
      issue.report()
      throw issue
    }
  }

  private static func unimplementedIssue(
    _ name: String, at place: SourceLocation
  ) -> DependencyIssue {
    let scope = DependencyScope.current
    let property = name.prefix { $0 != "." }
    let origin =
      scope.storeObserver?.origin(ofProperty: property, in: scope.node).map { " \($0)" } ?? ""
    return DependencyIssue(
      problem: "`\(name)` was used, but it's declared unimplemented.\(origin)",
      remedy: scope.readsTestValues
        ? "override it for this test, as in `.dependencies { $0.\(name) = … }`."
        : "set it at start-up, as in `Dependencies.setGlobally { $0.\(name) = … }`, or override it.",
      at: place)
  }
}
