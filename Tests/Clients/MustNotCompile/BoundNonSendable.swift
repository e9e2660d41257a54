import ComposableDependencies

func bind(_ cache: Cache, _ scope: DependencyScope) -> @Sendable () -> Void {
  // error: capture of 'cache' with non-Sendable type 'Cache' in a '@Sendable' closure
  //   [#SendableClosureCaptures]
  scope.bind { cache.values = [:] }
}
