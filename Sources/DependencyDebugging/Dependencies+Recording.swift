public import ComposableDependencies

extension Dependencies {
  /// Records where dependencies are overridden and set, for `explain()`.
  ///
  /// Call it first at start-up, while you debug:
  ///
  /// ```swift
  /// Dependencies.startRecording()
  /// ```
  ///
  /// From then on, each override and each global value over the current scope's global store has its
  /// place, in debug builds and in release builds. Values that were set before have none. Scopes that
  /// `.dependencies` creates for tests record without it.
  ///
  /// Recording makes each override many times as slow, and each read somewhat slower. A long history
  /// keeps only the latest places.
  public static func startRecording() {
    DependencyScope.current.recordPlaces()
  }
}

extension DependencyScope {
  /// Creates an isolated scope that may record places.
  package static func isolated(
    usingTestValues: Bool, recordingPlaces: Bool
  ) -> DependencyScope {
    let scope = isolated(usingTestValues: usingTestValues)
    if recordingPlaces { scope.recordPlaces() }
    return scope
  }
}
