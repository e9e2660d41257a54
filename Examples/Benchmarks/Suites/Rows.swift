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
        against: "an element of an array", limit: 12, allocationLimit: 0
      ) {
        // It checks the element's id, and notes where the array has changed.
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
        "rows/iterate", "iterate an IdentifiedArray of ten elements", against: "an array of them",
        limit: 3, allocationLimit: 0
      ) {
        Benchmark.Subject(
          operation: Rows.iterating(IdentifiedArrayOf<Row>((0..<10).map { Row(id: $0) })),
          yardstick: Rows.iterating((0..<10).map { Row(id: $0) }))
      },
      Benchmark(
        "rows/look-up", "look up one of ten elements by its id", against: "in a dictionary",
        limit: 3, allocationLimit: 0
      ) {
        let rows = (0..<10).map { Row(id: $0) }
        let (array, dictionary) = (
          IdentifiedArray(rows), Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        )
        return Benchmark.Subject(
          operation: Workload { count in
            let array = opaque(array)
            for number in 0..<count { sink(array[id: number % 10]) }
          },
          yardstick: Workload { count in
            let dictionary = opaque(dictionary)
            for number in 0..<count { sink(dictionary[number % 10]) }
          })
      },
      Benchmark(
        "rows/remove", "remove the middle of ten elements and add it again",
        against: "in an array and a dictionary of indices", limit: 3
      ) {
        Benchmark.Subject(
          operation: Workload { count in
            var rows = IdentifiedArrayOf<Row>((0..<10).map { Row(id: $0) })
            for _ in 0..<count { rows.append(rows.remove(at: 5)) }
            sink(rows[0].count)
          },
          yardstick: Workload { count in
            var rows = (0..<10).map { Row(id: $0) }
            var positions = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.id) })
            for _ in 0..<count {
              let row = rows.remove(at: 5)
              for position in 5..<9 { positions[rows[position].id] = position }
              rows.append(row)
              positions[row.id] = 9
            }
            sink(positions[0])
          })
      },
      Benchmark(
        "rows/observed", "an action that leaves rows alone, with 10,000 observed",
        against: "with ten", limit: 1.5
      ) {
        Benchmark.Subject(
          operation: Rows.observing(10_000, changing: false),
          yardstick: Rows.observing(10, changing: false))
      },
      Benchmark(
        "rows/observed-child", "an action, with 1,000 rows observed by `child(state:)`",
        against: "a look at 1,000 key paths", limit: 3
      ) {
        Benchmark.Subject(
          operation: Rows.observing(1_000, byPath: true, changing: false),
          yardstick: Rows.comparing(1_000))
      },
      Benchmark(
        "rows/observed-changed", "an action of a row, with 10,000 observed",
        against: "an action that leaves rows alone", limit: 12
      ) {
        // It notifies of the row, and observes it again, which takes most of the time.
        Benchmark.Subject(
          operation: Rows.observing(10_000, changing: true),
          yardstick: Rows.observing(10_000, changing: false))
      },
      Benchmark(
        "rows/effects", "an action that leaves rows alone, with 10,000 that have effects",
        against: "with ten", limit: 1.5
      ) {
        Benchmark.Subject(
          operation: Rows.sleeping(10_000, changing: false),
          yardstick: Rows.sleeping(10, changing: false))
      },
      Benchmark(
        "rows/effects-changed", "an action of a row, with 10,000 that have effects",
        against: "an action that leaves rows alone", limit: 5
      ) {
        Benchmark.Subject(
          operation: Rows.sleeping(10_000, changing: true),
          yardstick: Rows.sleeping(10_000, changing: false))
      },
    ]
}

private struct Row: Identifiable, Equatable {
  let id: Int
  var count = 0
}

private struct List { var rows: IdentifiedArrayOf<Row> }

private enum RowAction { case tapped, slept }

private enum ListAction {
  case row(Int, RowAction), cleared
  static let toRow = CasePath(Self.row) {
    if case .row(let id, let action) = $0 { (id, action) } else { nil }
  }
}

private enum Rows {
  static func iterating(_ rows: some Sequence<Row> & Sendable) -> Workload {
    Workload { count in
      for _ in 0..<count {
        var sum = 0
        for row in opaque(rows) { sum &+= row.count }
        sink(sum)
      }
    }
  }

  static let row = Reducer<Row, RowAction, Void> { row, action, _ in
    if case .slept = action { return .run { _ in try await Sleepers.sleep() } }
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

  /// Changes one row after the other, or nothing, with effects of all rows.
  static func sleeping(_ number: Int, changing: Bool) -> Workload {
    let store = Mutex<Store<List, ListAction>?>(nil)
    return Workload(suspending: { count in
      let known = store.withLock { $0 }
      let current = known ?? Store(initialState: list(of: number), reducer: list, environment: ())
      if known == nil {
        for id in 0..<number { await current.send(.row(id, .slept)) }
        store.withLock { $0 = current }
      }
      for operation in 0..<count {
        await current.send(changing ? .row(operation % number, .tapped) : .cleared)
      }
    })
  }

  /// Changes one row after the other and observes it again, or changes nothing.
  static func observing(_ number: Int, byPath: Bool = false, changing: Bool) -> Workload {
    let observed = Mutex<Observed?>(nil)
    return Workload(suspending: { count in
      await MainActor.run {
        let store = observed.withLock { $0 } ?? Observed(number, byPath: byPath)
        observed.withLock { $0 = store }
        for operation in 0..<count { store.change(changing ? operation % number : nil) }
      }
    })
  }

  /// Compares rows at key paths with what was there before.
  static func comparing(_ number: Int) -> Workload {
    let state = list(of: number)
    let rows = Mutex((0..<number).map { (path: \List.rows[$0], row: Row(id: $0)) })
    return Workload { count in
      let (state, rows) = (opaque(state), rows.withLock { $0 })
      for _ in 0..<count {
        var changed = 0
        for row in rows where state[keyPath: row.path] != row.row { changed += 1 }
        sink(changed)
      }
    }
  }

  @MainActor
  private final class Observed {
    private let store: ObservableStore<List, ListAction>
    private let children: [ObservableStore<Row, RowAction>]

    init(_ number: Int, byPath: Bool) {
      let store = ObservableStore(initialState: list(of: number), reducer: list, environment: ())
      let rows = store.children(state: \.rows, action: ListAction.row)
      self.store = store
      children = rows.ids.map { id in
        byPath
          ? store.child(state: \.rows[id]) { ListAction.row(id, $0) } : rows[id: id]!
      }
      for id in rows.ids { observe(id) }
    }

    func change(_ id: Int?) {
      guard let id else {
        store.send(.cleared)
        return
      }
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
