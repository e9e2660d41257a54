import ComposableEnvironment

func override(_ feature: Feature) {
  // error: cannot convert value of type 'any KeyPath<Dependencies, Bool> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Bool>'
  _ = feature.with(\.isLimited, true)
  // error: cannot convert value of type 'any KeyPath<Dependencies, Bool> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Bool>'
  _ = feature.scope.with(\.isLimited, true)
  withDependencies {
    // error: cannot assign to property: 'isLimited' is a get-only property
    $0.isLimited = true
  } operation: {
  }
}
