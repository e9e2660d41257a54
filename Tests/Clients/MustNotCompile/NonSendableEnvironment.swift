import ComposableEnvironment

class Cache {
  var values: [String: Int] = [:]
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: stored property 'cache' of 'Sendable'-conforming struct 'Feature' has non-Sendable
  //   type 'Cache'
  let cache = Cache()
}
