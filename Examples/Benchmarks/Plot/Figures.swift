import Foundation

/// The plots of the documentation, drawn from the results.
struct Figures {
  private let results: [String: Result]

  init(_ results: [Result]) {
    self.results = Dictionary(uniqueKeysWithValues: results.map { ($0.benchmark.name, $0) })
  }

  /// The benchmarks that the figures need.
  static let groups = ["overrides", "limits/current", "limits/enter"]

  /// - Throws: An error if a file can't be written.
  func write(to folder: String) throws {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, plot) in [("read-cost", reads), ("enter-cost", entering)] {
      try Data(plot.svg.utf8).write(to: url.appendingPathComponent("\(name).svg"))
    }
  }

  private var reads: Plot {
    Plot(
      title: "Reading a dependency",
      xTitle: "overrides in the scope",
      yTitle: "nanoseconds",
      lines: [
        line("@Dependency, overridden", "overrides/read-wrapper", 0),
        line("@Dependency, a default", "overrides/read-wrapper-default", 0, isDashed: true),
        line("DependencyScope.current", "overrides/read", 2),
        bare("a bare @TaskLocal", "limits/current"),
        Plot.Line(name: "swift-dependencies", color: 1, points: Peers.SwiftDependencies.read),
        Plot.Line(
          name: "dependence", color: 1, isDashed: true, points: Peers.Dependence.read),
      ])
  }

  private var entering: Plot {
    Plot(
      title: "Entering a scope with one more override, and leaving it",
      xTitle: "overrides in the scope",
      yTitle: "nanoseconds",
      lines: [
        line("withDependencies", "overrides/enter", 0),
        bare("a bare withValue", "limits/enter"),
        Plot.Line(name: "swift-dependencies", color: 1, points: Peers.SwiftDependencies.enter),
        Plot.Line(
          name: "dependence", color: 1, isDashed: true, points: Peers.Dependence.enter),
      ])
  }

  private func line(_ name: String, _ series: String, _ color: Int, isDashed: Bool = false)
    -> Plot.Line
  {
    Plot.Line(
      name: name, color: color, isDashed: isDashed,
      points: Catalog.overrideCounts.compactMap { count in
        results["\(series)/\(count)"]?.operation.minimum.map { (Double(count), $0) }
      })
  }

  /// Returns a line for a result that doesn't depend on the number of overrides.
  private func bare(_ name: String, _ benchmark: String) -> Plot.Line {
    Plot.Line(
      name: name, color: 3,
      points: Catalog.overrideCounts.compactMap { count in
        results[benchmark]?.yardstick.minimum.map { (Double(count), $0) }
      })
  }
}
