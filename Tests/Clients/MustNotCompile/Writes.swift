import ComposableEnvironment

extension Feature {
  mutating func relax() {
    // error: cannot assign to property: 'limit' is a get-only property
    limit = 4
  }
}

func relax(_ child: inout Child, _ scope: inout DependencyScope) {
  // error: cannot assign to property: 'child' is immutable
  child.limit = 4
  // error: cannot assign to property: 'scope' is immutable
  scope.limit = 4
  // error: cannot convert value of type 'any KeyPath<Dependencies, Bool> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Bool>'
  _ = child.with(\.isLimited, true)
  // error: cannot convert value of type 'any KeyPath<Dependencies, Bool> & Sendable' to expected
  //   argument type 'WritableKeyPath<Dependencies, Bool>'
  _ = scope.with(\.isLimited, true)
  withDependencies {
    // error: cannot assign to property: 'isLimited' is a get-only property
    $0.isLimited = true
  } operation: {
  }
}

func relax() {
  let child = Child()
  // error: cannot assign through dynamic lookup property: 'child' is a 'let' constant
  child.limit = 4
}
