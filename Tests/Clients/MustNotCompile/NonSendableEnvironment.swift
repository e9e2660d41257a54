import ComposableEnvironment

struct Caching: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: stored property 'cache' of 'Sendable'-conforming struct 'Caching' has non-Sendable
  //   type 'Cache'
  let cache = Cache()
}
