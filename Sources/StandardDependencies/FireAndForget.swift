public import ComposableDependencies

/// Starts work without waiting for it.
///
/// ```swift
/// @Dependency(\.fireAndForget) var fireAndForget
///
/// try await database.setAddress(address, of: user)
/// await fireAndForget { try await mailer.confirm(address) }
/// ```
///
/// The work runs in an unstructured task, in the caller's scope, and isn't canceled with the caller.
///
/// In a scope made for a test, the call returns after the work has ended, so the test can check its
/// effects.
public struct FireAndForget: Sendable {
  private let isAwaited: Bool

  /// Starts work in a task with a name and a priority.
  ///
  /// An error that `operation` throws is dropped, and reported as an issue.
  public func callAsFunction(
    name: String? = nil,
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async {
    // In a test, too, the work has its own task, so that it isn't canceled with the caller.
    let executor = isAwaited ? DependencyScope.current.testExecutor : nil
    let task = Task(name: name, executorPreference: executor, priority: priority) {
      do {
        try await operation()
      } catch is DependencyIssue {
        // It was reported before it was thrown.
      } catch {
        DependencyIssue(
          problem: "Work that `fireAndForget` started threw \(error). The error is dropped.",
          remedy: "handle errors in the operation.", fileID: fileID, line: line
        ).report()
      }
    }
    if isAwaited { await task.value }
  }
}

extension FireAndForget {
  /// Starts a task and returns at once.
  public static var live: Self { Self(isAwaited: false) }

  /// Returns when the work has ended.
  public static var awaited: Self { Self(isAwaited: true) }
}

private enum FireAndForgetKey: DependencyKey {
  static var defaultValue: FireAndForget { .live }
  static var testValue: FireAndForget { .awaited }
}

extension Dependencies {
  /// Starts work without waiting for it; ``FireAndForget/live`` by default, and
  /// ``FireAndForget/awaited`` in a scope made for a test.
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }
}
