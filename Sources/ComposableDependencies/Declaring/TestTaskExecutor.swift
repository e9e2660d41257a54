/// The executor of a test.
///
/// It knows when everything that can run has run, and which tasks a record of the order names.
package protocol TestTaskExecutor: TaskExecutor {
  /// Announces the origin of the next task to start, after those that were announced before.
  func announceTask(_ origin: @autoclosure () -> String)
}

private enum TestExecutorKey: UnrecordedKey {
  static var defaultValue: (any TestTaskExecutor)? { nil }
}

extension Dependencies {
  /// The executor of the test whose scope this is; `nil` outside a test's scope.
  package var testExecutor: (any TestTaskExecutor)? {
    get { self[TestExecutorKey.self] }
    set { self[TestExecutorKey.self] = newValue }
  }
}
