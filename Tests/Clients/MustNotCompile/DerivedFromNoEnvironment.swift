import ComposableEnvironment

struct Wrong: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: type 'Int' does not conform to protocol 'DependencyEnvironment'
  @DerivedEnvironment<Int> var limit
}
