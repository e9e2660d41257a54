import ComposableEnvironment

private enum ClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  /// The clock that measures timeouts.
  var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
