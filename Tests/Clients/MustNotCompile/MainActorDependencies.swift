// flags: -default-isolation MainActor

import ComposableDependencies

nonisolated enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

extension Dependencies {
  var limit: Int { self[LimitKey.self] }
}

nonisolated func read() -> Int {
  // error: cannot form key path to main actor-isolated property 'limit'
  DependencyScope.current.limit
}
