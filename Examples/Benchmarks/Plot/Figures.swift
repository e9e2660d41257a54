import Foundation

/// The plots of the documentation, drawn from the results and from what was recorded of ``Peer``.
struct Figures {
  private let results: [String: Result]

  init(_ results: [Result]) {
    self.results = Dictionary(uniqueKeysWithValues: results.map { ($0.benchmark.name, $0) })
  }

  /// The benchmarks that the figures need.
  static let groups = ["growth/update", "growth/nested"]

  /// - Throws: An error if a file can't be written.
  func write(to folder: String) throws {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, plot) in [("read-cost", reads), ("enter-cost", entering), ("growth", growth)] {
      try Data(plot.svg.utf8).write(to: url.appendingPathComponent("\(name).svg"))
    }
  }

  private var reads: Plot {
    Plot(
      title: "Reading a dependency",
      xTitle: "overrides in the scope",
      yTitle: "nanoseconds",
      lines: Peer.all.flatMap { peer in
        [
          Plot.Line(name: "\(peer.name), wrapper", color: peer.color, points: peer.wrapper),
          Plot.Line(
            name: "\(peer.name), current", color: peer.color, stroke: .dashed, points: peer.current),
          Plot.Line(
            name: "\(peer.name), captured", color: peer.color, stroke: .dotted,
            points: peer.captured),
        ]
      })
  }

  private var entering: Plot {
    Plot(
      title: "Entering a scope with an override, and leaving it",
      xTitle: "overrides in the scope",
      yTitle: "nanoseconds",
      lines: Peer.all.flatMap { peer in
        [
          Plot.Line(name: "\(peer.name), one more", color: peer.color, points: peer.enter),
          Plot.Line(
            name: "\(peer.name), replaced", color: peer.color, stroke: .dashed,
            points: peer.replace),
        ]
      })
  }

  private var growth: Plot {
    Plot(
      title: "One of n overrides",
      xTitle: "n",
      yTitle: "nanoseconds",
      lines: [
        Plot.Line(name: "this library, nested", color: 0, points: points("growth/nested")),
        Plot.Line(
          name: "this library, one update", color: 0, stroke: .dashed,
          points: points("growth/update")),
      ]
        + [Peer.swiftDependencies, .dependence].flatMap { peer in
          [
            Plot.Line(name: "\(peer.name), nested", color: peer.color, points: peer.nested),
            Plot.Line(
              name: "\(peer.name), one update", color: peer.color, stroke: .dashed,
              points: peer.update),
          ]
        })
  }

  private func points(_ series: String) -> Peer.Points {
    let prefix = "\(series)/"
    return results.compactMap { name, result in
      guard name.hasPrefix(prefix), let count = Double(name.dropFirst(prefix.count)),
        let minimum = result.operation.minimum
      else { return nil }
      return (count, minimum)
    }
    .sorted { $0.x < $1.x }
  }
}
