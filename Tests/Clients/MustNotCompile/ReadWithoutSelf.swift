import ComposableEnvironment

enum RetryLimitKey: DependencyKey { static var defaultValue: Int { 3 } }

extension Dependencies {
  var retryLimit: Int {
    get { self[RetryLimitKey.self] }
    set { self[RetryLimitKey.self] = newValue }
  }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: cannot find 'retryLimit' in scope
  var retries: Bool { retryLimit > 0 }
  var retriesToo: Bool { self.retryLimit > 0 }
}
