import ComposableEnvironment

// error: type 'Feature' does not conform to protocol 'DependencyEnvironment'
struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  let pageSize: Int
}
