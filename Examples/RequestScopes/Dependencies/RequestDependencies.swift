import ComposableEnvironment

private enum RequestIDKey: DependencyKey { static var defaultValue: Int? { nil } }
private enum TenantKey: DependencyKey { static var defaultValue: String { "nobody" } }
private enum DeadlineKey: DependencyKey { static var defaultValue: Duration { .zero } }

extension Dependencies {
  /// The current request, if there is one.
  var requestID: Int? {
    get { self[RequestIDKey.self] }
    set { self[RequestIDKey.self] = newValue }
  }

  /// The customer that sent the request.
  var tenant: String {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }

  /// The time after which the request fails.
  var deadline: Duration {
    get { self[DeadlineKey.self] }
    set { self[DeadlineKey.self] = newValue }
  }

  /// The destination of the request's messages.
  var logger: Logger {
    get { self[Logger.self] }
    set { self[Logger.self] = newValue }
  }
}

/// Writes messages; by default, discards them.
struct Logger: DependencyKey {
  static var defaultValue: Logger { Logger { _ in } }

  var log: @Sendable (_ message: String) -> Void

  /// Returns the same logger, which prefixes its messages with a label.
  func labeled(_ label: String) -> Logger {
    Logger { log("\(label): \($0)") }
  }
}

/// The same dependencies, for objects and closures that outlive the request's own tasks.
struct RequestEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.requestID) var requestID
}
