import ComposableEnvironment

private enum ClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  /// What the time that a check takes is measured with.
  var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
