import ComposableEnvironment

func relax(_ child: inout Child, _ scope: inout DependencyScope) {
  // error: cannot assign to property: 'child' is immutable
  child.limit = 4
  // error: cannot assign to property: 'scope' is immutable
  scope.limit = 4
}
