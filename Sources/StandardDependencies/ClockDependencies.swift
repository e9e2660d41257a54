@_exported public import ComposableDependencies

private enum ContinuousClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { ContinuousClock() }
}

private enum SuspendingClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { SuspendingClock() }
}

extension Dependencies {
  /// A clock that goes on while the machine sleeps; `ContinuousClock` by default.
  ///
  /// For what happens in the world, a deadline or a request's timeout:
  ///
  /// ```swift
  /// try await clock.sleep(for: .seconds(1))
  /// ```
  ///
  /// In a test override it with a `TestClock`, an `ImmediateClock` or an `UnimplementedClock` of
  /// ComposableTesting.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// A clock that stops while the machine sleeps; `SuspendingClock` by default.
  ///
  /// For what happens in the program, an animation or how long work took. In a test override it as
  /// ``continuousClock``.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue }
  }
}
