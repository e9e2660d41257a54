import ComposableTesting

enum RetryLimitKey: DependencyKey {
  static let defaultValue = 3
}

extension Dependencies {
  var retryLimit: Int {
    get { self[RetryLimitKey.self] }
    set { self[RetryLimitKey.self] = newValue }
  }

  var hasRetries: Bool { retryLimit > 0 }
}

struct Uploader {
  // error: cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'Key.Type'
  // error: generic parameter 'Key' could not be inferred
  // error: cannot infer key path type from context; consider explicitly specifying a root type
  @Dependency(\.retryLimt) var retryLimit
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
}

func read(_ feature: Feature) -> Int {
  // error: value of type 'Feature' has no dynamic member 'retryLimt' using key path from root type
  //   'Dependencies'
  feature.retryLimt
}

func readCurrent() -> Int {
  // error: value of type 'DependencyScope' has no dynamic member 'retryLimt' using key path from root
  //   type 'Dependencies'
  DependencyScope.current.retryLimt
}

func override(_ feature: Feature) {
  withDependencies {
    // error: value of type 'Dependencies' has no member 'retryLimt'
    $0.retryLimt = 5
  } operation: {
    readCurrent()
  }
  // error: value of type 'Dependencies' has no member 'retryLimt'
  _ = DependenciesTrait.dependencies { $0.retryLimt = 5 }
  // error: value of type 'Dependencies' has no member 'retryLimt'
  Dependencies.setGlobally { $0.retryLimt = 5 }
  // error: cannot convert value of type 'KeyPath<Dependencies, Value>' to expected argument type
  //   'WritableKeyPath<Dependencies, Int>'
  // error: value of type 'Dependencies' has no member 'retryLimt'
  _ = feature.with(\.retryLimt, 5)
  withDependencies {
    // error: cannot assign value of type 'String' to type 'Int'
    $0.retryLimit = "5"
  } operation: {
    readCurrent()
  }
  withDependencies {
    // error: cannot assign to property: 'hasRetries' is a get-only property
    $0.hasRetries = false
  } operation: {
    readCurrent()
  }
}
