import ComposableEnvironment

// error: type 'Wrong' does not conform to protocol 'DependencyEnvironment'
struct Wrong: ComposableEnvironment {
  let scope = DependencyScope.current
  let pageSize: Int
}
