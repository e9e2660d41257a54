import ComposableDependencies

/// Overrides and reads over a store that records places, beside the same without recording.
extension Catalog {
  static let recording = [
    row("wrapper", "@Dependency, overridden", readWrapper),
    row("current", "current.number, overridden", readCurrent),
    row("default", "current[…], a default", readDefault),
    row("override", "scope.with { $0.number = … }", override),
    row("enter", "enter and leave with one more", enter),
  ]

  private static func row(
    _ name: String, _ title: String, _ workload: @escaping @Sendable (DependencyScope) -> Workload
  ) -> Benchmark {
    Benchmark("recording/\(name)", "\(title), recorded", against: "the same without recording") {
      Benchmark.Subject(
        operation: workload(overriding(recordingPlaces: true)),
        yardstick: workload(overriding(recordingPlaces: false)))
    }
  }

  private static func overriding(recordingPlaces: Bool) -> DependencyScope {
    DependencyScope.isolated(usingTestValues: false, recordingPlaces: recordingPlaces)
      .with { $0.number = 1 }
  }

  private static func readDefault(in scope: DependencyScope) -> Workload {
    Workload { count in
      scope.run { for _ in 0..<count { sink(DependencyScope.current[Unset.self]) } }
    }
  }
}

private enum Unset: DependencyKey {
  static var defaultValue: Int { 1 }
}
