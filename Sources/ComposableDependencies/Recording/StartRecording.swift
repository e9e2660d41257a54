extension Dependencies {
  /// Records where dependencies are overridden and set, for ``DependencyScope/explain()``.
  ///
  /// Call it first at start-up, while you debug:
  ///
  /// ```swift
  /// Dependencies.startRecording()
  /// ```
  ///
  /// Every scope that is made from then on over the current scope's global store records, in debug
  /// builds and in release builds. Scopes that existed before, and what is built on them, don't.
  /// Scopes made for tests record without it.
  ///
  /// Recording makes overrides several times as slow, and reads of them a little slower. Reads of
  /// defaults cost the same. For each override, it keeps a limited number of places, however long
  /// the history is.
  public static func startRecording() {
    CurrentScope.node.store.recordPlaces()
  }
}
