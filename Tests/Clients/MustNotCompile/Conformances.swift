import ComposableEnvironment

// error: type 'WrongKey' does not conform to protocol 'DependencyKey'
enum WrongKey: DependencyKey {
  typealias Value = Int
}

// error: type 'WithoutScope' does not conform to protocol 'ScopeCapturing'
struct WithoutScope: ComposableEnvironment {}

// error: type 'WithoutInit' does not conform to protocol 'DependencyEnvironment'
struct WithoutInit: ComposableEnvironment {
  let scope = DependencyScope.current
  let pageSize: Int
}

struct DerivesNoEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: type 'Int' does not conform to protocol 'DependencyEnvironment'
  @DerivedEnvironment<Int> var limit
}
