public import ComposableReducers
internal import TestClocks

extension TestStore {
  /// Overrides dependencies for the actions that follow.
  ///
  /// ```swift
  /// await store.withDependencies { $0.apiClient = .failing }
  /// await store.send(.submitted) { $0.isLoading = true }
  /// await store.receive(.failed) { $0.isLoading = false }
  /// ```
  ///
  /// **Adds** to the scope of the store's environment: dependencies that `update` doesn't set read as
  /// before. Everything that can run has run before, and effects that are running keep their scope.
  ///
  /// An environment that captures a scope is recreated, as by its `with`.
  ///
  /// - Parameters:
  ///   - update: Overrides dependencies. Reads inside this closure see the overrides made so far.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func withDependencies(
    _ update: (inout Dependencies) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    await engine.withDependencies(at: .init(fileID: fileID, line: line), update)
  }
}
