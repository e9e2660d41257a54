/// The scope of the running reducer, in which its effects will run.
@usableFromInline
enum ReducerScope {
  #if DEBUG
    @TaskLocal private static var current: DependencyScope?
  #endif

  /// Runs a reducer in its scope.
  @inlinable
  static func run<Result>(in scope: DependencyScope, _ reduce: () -> Result) -> Result {
    #if DEBUG
      noting(scope) { scope.run(reduce) }
    #else
      scope.run(reduce)
    #endif
  }

  #if DEBUG
    @usableFromInline
    static func noting<Result>(_ scope: DependencyScope, _ reduce: () -> Result) -> Result {
      $current.withValue(scope, operation: reduce)
    }
  #endif

  /// In a debug build, reports an effect that a reducer creates in another scope than its own.
  static func checkCreation(at place: SourcePlace) {
    #if DEBUG
      guard let current, current.identity != DependencyScope.current.identity else { return }
      DependencyIssue(
        problem: """
          An effect was created inside a `withDependencies` or a `run` of its reducer, but runs in the \
          reducer's scope: it doesn't see these overrides.
          """,
        remedy: """
          override inside the effect: `.run { send in try await withDependencies { … } operation: \
          { … } }`. If the overrides aren't meant for it, create the effect after their operation.
          """,
        at: place
      ).report()
    #endif
  }
}
