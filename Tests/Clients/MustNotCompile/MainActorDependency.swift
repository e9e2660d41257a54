import ComposableDependencies

extension Dependencies {
  @MainActor var mainLimit: Int { self[LimitKey.self] }
}

nonisolated func read() -> Int {
  // error: cannot form key path to main actor-isolated property 'mainLimit'
  DependencyScope.current.mainLimit
}

struct Reader {
  // error: main actor-isolated default value in a nonisolated context
  // error: type 'KeyPath<Dependencies, Int>' does not conform to the 'Sendable' protocol
  @Dependency(\.mainLimit) var limit
}
