@_exported public import ComposableDependencies

private enum ContinuousClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { ContinuousClock() }
}

private enum SuspendingClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { SuspendingClock() }
}

extension Dependencies {
  /// A clock that continues while the machine sleeps; `ContinuousClock` by default.
  ///
  /// Use it for events in the world, such as a deadline or a request's timeout:
  ///
  /// ```swift
  /// try await clock.sleep(for: .seconds(1))
  /// ```
  ///
  /// In a test, override it with a `TestClock`, an `ImmediateClock` or an `UnimplementedClock` from
  /// ComposableTesting.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// A clock that stops while the machine sleeps; `SuspendingClock` by default.
  ///
  /// Use it for events in the program, such as an animation or the duration of work. In a test,
  /// override it like ``continuousClock``.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue }
  }
}
