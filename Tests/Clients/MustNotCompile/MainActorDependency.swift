import ComposableDependencies

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

extension Dependencies {
  @MainActor var limit: Int { self[LimitKey.self] }
}

nonisolated func read() -> Int {
  // error: cannot form key path to main actor-isolated property 'limit'
  DependencyScope.current.limit
}

struct Reader {
  // error: main actor-isolated default value in a nonisolated context
  // error: type 'KeyPath<Dependencies, Int>' does not conform to the 'Sendable' protocol
  @Dependency(\.limit) var limit
}
