import ComposableReducers

private enum ClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  /// What the time until the program is ready is measured with.
  var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
