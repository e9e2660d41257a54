import ComposableEnvironment

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

extension Dependencies {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
}

func relax(_ feature: inout Feature, _ scope: inout DependencyScope) {
  // error: cannot assign to property: 'feature' is immutable
  feature.limit = 4
  // error: cannot assign to property: 'scope' is immutable
  scope.limit = 4
}
