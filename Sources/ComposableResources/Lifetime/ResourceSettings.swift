public import ComposableDependencies

private enum OpensResourcesInTestsKey: UnrecordedKey {
  static var defaultValue: Bool { false }
}

private enum ClosingTimeKey: UnrecordedKey {
  static var defaultValue: Duration { .seconds(10) }
}

extension Dependencies {
  /// Whether lifetimes open resources where keys read their test values.
  ///
  /// By default, they don't: in a process that links `ComposableTesting`, a resource that the test
  /// doesn't override reads its `DependencyKey.testValue`, and reports an issue.
  ///
  /// ```swift
  /// @Test(.dependencies { $0.opensResourcesInTests = true })
  /// func migratesARealDatabase() async throws { … }
  /// ```
  public var opensResourcesInTests: Bool {
    get { self[OpensResourcesInTestsKey.self] }
    set { self[OpensResourcesInTestsKey.self] = newValue }
  }

  /// How long a lifetime may take to close before it reports the resource that it waits for.
  ///
  /// The default is 10 seconds. The lifetime reads it when closing begins, in the scope that called
  /// ``withResources(_:isolation:fileID:line:operation:)``. It continues to wait after the report, and
  /// reports again after the same time.
  public var resourceClosingTime: Duration {
    get { self[ClosingTimeKey.self] }
    set { self[ClosingTimeKey.self] = newValue }
  }
}
