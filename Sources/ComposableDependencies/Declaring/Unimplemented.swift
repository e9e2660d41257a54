extension Dependencies {
  /// Creates a closure that reports an issue when it is called, and returns a placeholder.
  ///
  /// Use it for a closure that a test doesn't expect to be called, for the test value of a dependency,
  /// or for a default value where none makes sense:
  ///
  /// ```swift
  /// extension APIClient: DependencyKey {
  ///   public static var testValue: APIClient {
  ///     APIClient(fetch: Dependencies.unimplemented("apiClient.fetch", placeholder: []))
  ///   }
  /// }
  /// ```
  ///
  /// The issue is a ``DependencyIssue``, which fails the running test if the test target imports
  /// `ComposableTesting`. A release build of a program doesn't print it, and the closure returns its
  /// placeholder silently.
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
    let place = SourcePlace(fileID: fileID, line: line)
    return { (_: repeat each Argument) in
      DependencyIssue(unimplemented: name, at: place).report()
      return placeholder()
    }
  }

  /// Reports the same issue as a closure of ``unimplemented(_:placeholder:fileID:line:)``, from a closure
  /// of your own.
  ///
  /// Use it where the placeholder depends on the arguments, and for a closure with typed throws or with
  /// a function as a parameter:
  ///
  /// ```swift
  /// let sum: @Sendable (Int, Int) -> Int = { first, second in
  ///   Dependencies.reportUnimplemented("calculator.sum")
  ///   return first
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The property or dependency that holds the closure, as in `calculator.sum`.
  ///   - fileID: The file that the issue names.
  ///   - line: The line that the issue names.
  public static func reportUnimplemented(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    DependencyIssue(unimplemented: name, at: SourcePlace(fileID: fileID, line: line)).report()
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
    let place = SourcePlace(fileID: fileID, line: line)
    return { (_: repeat each Argument) in
      let issue = DependencyIssue(unimplemented: name, at: place, isThrown: true)
      issue.report(beforeThrowingFrom: name)
      throw issue
    }
  }
}

extension DependencyIssue {
  /// Something was used that is declared unimplemented at a place.
  package init(unimplemented name: String, at place: SourcePlace, isThrown: Bool = false) {
    let isProperty = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    let assignment = isProperty ? "$0.\(name) = …" : "…"
    self.init(
      problem: "`\(name)` was used, but it's declared unimplemented."
        + (isThrown ? " It throws this issue: if code catches it, other failures may follow." : ""),
      remedy: DependencyScope.current.readsTestValues || Self.isInTest
        ? "override it for this test, before you create what calls it, as in `.dependencies { \(assignment) }`."
        : "set it at start-up, as in `Dependencies.setGlobally { \(assignment) }`, or override it.",
      at: place)
  }
}
