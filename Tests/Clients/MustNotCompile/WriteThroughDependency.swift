import ComposableEnvironment

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(LimitKey.self) var limit

  mutating func relax() {
    // error: cannot assign to property: 'limit' is a get-only property
    limit = 4
  }
}
