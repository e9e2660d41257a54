import ComposableReducers

/// Identified arrays compared to the standard library, and case paths compared to closures.
extension Catalog {
  static let collections = [10, 1_000, 100_000].flatMap(rows) + grownRows + casePaths

  private static func rows(_ count: Int) -> [Benchmark] {
    [
      row("append", "append all", count, "a dictionary of positions and an array", limit: 1.5) {
        (IdentifiedRows.append(count), PlainRows.append(count))
      },
      row("init", "make of elements", count, "a dictionary of positions", limit: 1.5) {
        (IdentifiedRows.initialize(count), PlainRows.initialize(count))
      },
      row("lookup", "look up", count, "a dictionary, then an array", limit: 1.5) {
        (IdentifiedRows.lookup(count), PlainRows.lookup(count))
      },
      row("update", "change in place", count, "a dictionary, then an array", limit: 5) {
        (IdentifiedRows.update(count), PlainRows.update(count))
      },
      row("change", "change by position", count, "an array", limit: 8) {
        (IdentifiedRows.change(count), PlainRows.change(count))
      },
      row("ids", "all ids as an array", count, "a map over an array", limit: 1.5) {
        (IdentifiedRows.ids(count), PlainRows.ids(count))
      },
      row("remove-last", "remove the last and append", count, "an array", limit: 25) {
        (IdentifiedRows.removeLast(count), PlainRows.removeLast(count))
      },
      row("remove-first", "remove the first and append", count, "an array", limit: 8) {
        (IdentifiedRows.removeFirst(count), PlainRows.removeFirst(count))
      },
      row("remove-middle", "remove in the middle and append", count, "an array", limit: 25) {
        (IdentifiedRows.removeMiddle(count), PlainRows.removeMiddle(count))
      },
      row("remove-where", "remove half of a copy", count, "an array", limit: 40) {
        (IdentifiedRows.removeWhere(count), PlainRows.removeWhere(count))
      },
      row("equal", "compare with an equal one", count, "an array", limit: 1.5) {
        (IdentifiedRows.compare(count), PlainRows.compare(count))
      },
    ]
  }

  private static func row(
    _ name: String, _ title: String, _ count: Int, _ yardstick: String, limit: Double,
    _ workloads: @escaping @Sendable () -> (Workload, Workload)
  ) -> Benchmark {
    Benchmark(
      "collections/\(name)/\(count)", "IdentifiedArray, \(count) elements: \(title)",
      against: yardstick, limit: limit
    ) {
      let (operation, yardstick) = workloads()
      return Benchmark.Subject(operation: operation, yardstick: yardstick)
    }
  }

  /// Linear growth is 1, or a little more when caches are too small; quadratic growth is 100.
  private static let grownRows = [
    grown("append", "append all") { IdentifiedRows.append($0) },
    grown("init", "make of elements") { IdentifiedRows.initialize($0) },
    grown("remove-last", "remove the last and append") { IdentifiedRows.removeLast($0) },
    grown("remove-first", "remove the first and append") { IdentifiedRows.removeFirst($0) },
    grown("remove-middle", "remove in the middle and append") { IdentifiedRows.removeMiddle($0) },
    grown("remove-where", "remove half of a copy") { IdentifiedRows.removeWhere($0) },
  ]

  private static func grown(
    _ name: String, _ title: String, _ workload: @escaping @Sendable (Int) -> Workload
  ) -> Benchmark {
    Benchmark(
      "collections/growth/\(name)", "IdentifiedArray, 100000 elements: \(title)",
      against: "100 times the same at 1000", limit: 20
    ) {
      Benchmark.Subject(operation: workload(100_000), yardstick: workload(1_000).repeated(100))
    }
  }

  private static let casePaths = [
    Benchmark(
      "case-paths/extract", "/Case, extract", against: "CasePath(embed:extract:)", limit: 15,
      allocationLimit: 0
    ) {
      Benchmark.Subject(
        operation: extract(Action.reflected, .number(1)),
        yardstick: extract(Action.closures, .number(1)))
    },
    Benchmark(
      "case-paths/other", "/Case, of another case", against: "CasePath(embed:extract:)", limit: 12,
      allocationLimit: 0
    ) {
      Benchmark.Subject(
        operation: extract(Action.reflected, .name("")),
        yardstick: extract(Action.closures, .name("")))
    },
    Benchmark("case-paths/make", "/Case, make a path") {
      Benchmark.Subject(
        operation: Workload { count in
          for _ in 0..<count { sink(/Action.number) }
        })
    },
  ]

  private static func extract(_ path: CasePath<Action, Int>, _ action: Action) -> Workload {
    Workload { count in
      let path = opaque(path)
      for _ in 0..<count { sink(path.extract(from: action)) }
    }
  }

  private enum Action: Sendable {
    case number(Int)
    case name(String)

    static let reflected = /Action.number
    static let closures = CasePath<Action, Int>(
      embed: { .number($0) }, extract: { if case .number(let number) = $0 { number } else { nil } })
  }
}
