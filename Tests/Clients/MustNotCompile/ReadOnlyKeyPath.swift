import ComposableEnvironment

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

extension Dependencies {
  var limit: Int { self[LimitKey.self] }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
}

func override(_ feature: Feature) {
  // error: cannot convert value of type 'any KeyPath<Dependencies, Int> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Int>'
  _ = feature.with(\.limit, 4)
  // error: cannot convert value of type 'any KeyPath<Dependencies, Int> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Int>'
  _ = feature.scope.with(\.limit, 4)
  withDependencies {
    // error: cannot assign to property: 'limit' is a get-only property
    $0.limit = 4
  } operation: {
  }
}
