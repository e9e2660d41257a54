import ComposableEnvironment

private enum RequestIDKey: DependencyKey { static var defaultValue: Int? { nil } }
private enum TenantKey: DependencyKey { static var defaultValue: String { "nobody" } }
private enum DeadlineKey: DependencyKey { static var defaultValue: Duration { .zero } }

extension Dependencies {
  /// The request that is being handled, if any.
  var requestID: Int? {
    get { self[RequestIDKey.self] }
    set { self[RequestIDKey.self] = newValue }
  }

  /// Whose request it is.
  var tenant: String {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }

  /// How long after its start the request is given up.
  var deadline: Duration {
    get { self[DeadlineKey.self] }
    set { self[DeadlineKey.self] = newValue }
  }

  /// Where the request's messages go to.
  var logger: Logger {
    get { self[Logger.self] }
    set { self[Logger.self] = newValue }
  }
}

/// Writes messages, by default nowhere.
struct Logger: DependencyKey {
  static var defaultValue: Logger { Logger { _ in } }

  var log: @Sendable (_ message: String) -> Void

  /// The same logger, that tells whose its messages are.
  func labeled(_ label: String) -> Logger {
    Logger { log("\(label): \($0)") }
  }
}

/// The same dependencies, for objects and closures that outlive the request's own tasks.
struct RequestEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.requestID) var requestID
}
