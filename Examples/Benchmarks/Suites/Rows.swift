import ComposableReducers
import Observation
import Synchronization

/// The cost of one row among many.
extension Catalog {
  static let rows =
    [
      Benchmark(
        "rows/forEach", "an action of a row by forEach, among 1,000",
        against: "the row's reducer called directly", limit: 2.5
      ) {
        Benchmark.Subject(
          operation: Rows.reducing(byForEach: true), yardstick: Rows.reducing(byForEach: false))
      },
      Benchmark(
        "rows/position", "change an element of an IdentifiedArray at a position",
        against: "an element of an array", limit: 4, allocationLimit: 0
      ) {
        Benchmark.Subject(
          operation: Workload { count in
            var rows = IdentifiedArrayOf<Row>((0..<1_000).map { Row(id: $0) })
            for number in 0..<count { rows[number % 1_000].count += 1 }
            sink(rows[0].count)
          },
          yardstick: Workload { count in
            var rows = (0..<1_000).map { Row(id: $0) }
            for number in 0..<count { rows[number % 1_000].count += 1 }
            sink(rows[0].count)
          })
      },
      Benchmark(
        "rows/observed", "an action of a row, with 1,000 observed child stores",
        against: "the same with ten", limit: 10
      ) {
        Benchmark.Subject(operation: Rows.observing(1_000), yardstick: Rows.observing(10))
      },
    ]
}

private struct Row: Identifiable, Equatable {
  let id: Int
  var count = 0
}

private struct List { var rows: IdentifiedArrayOf<Row> }

private enum RowAction { case tapped }

private enum ListAction {
  case row(Int, RowAction), cleared
  static let toRow = CasePath(Self.row) {
    if case .row(let id, let action) = $0 { (id, action) } else { nil }
  }
}

private enum Rows {
  static let row = Reducer<Row, RowAction, Void> { row, _, _ in
    row.count += 1
    return .none
  }
  static let list: Reducer<List, ListAction, Void> = row.forEach(
    state: \.rows, action: ListAction.toRow, environment: { $0 })

  static func list(of count: Int) -> List {
    List(rows: IdentifiedArray((0..<count).map { Row(id: $0) }))
  }

  static func reducing(byForEach: Bool) -> Workload {
    let (row, list) = (row, list)
    return Workload { count in
      var state = Self.list(of: 1_000)
      if byForEach {
        for number in 0..<count { sink(list(&state, .row(number % 1_000, .tapped), ())) }
      } else {
        for number in 0..<count { sink(row(&state.rows[number % 1_000], .tapped, ())) }
      }
    }
  }

  /// Changes one row after the other, and observes it again.
  static func observing(_ number: Int) -> Workload {
    let observed = Mutex<Observed?>(nil)
    return Workload(suspending: { count in
      await MainActor.run {
        let store = observed.withLock { $0 } ?? Observed(number)
        observed.withLock { $0 = store }
        for operation in 0..<count { store.change(operation % number) }
      }
    })
  }

  @MainActor
  private final class Observed {
    private let store: ObservableStore<List, ListAction>
    private let children: [ObservableStore<Row, RowAction>]

    init(_ number: Int) {
      store = ObservableStore(initialState: list(of: number), reducer: list, environment: ())
      let rows = store.children(state: \.rows, action: ListAction.row)
      children = rows.ids.map { rows[id: $0]! }
      for id in rows.ids { observe(id) }
    }

    func change(_ id: Int) {
      store.send(.row(id, .tapped))
      observe(id)
    }

    private func observe(_ id: Int) {
      withObservationTracking {
        sink(children[id].count)
      } onChange: {
      }
    }
  }
}
