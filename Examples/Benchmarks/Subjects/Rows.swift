import ComposableReducers
import Observation
import Synchronization

/// A state with many rows, its readers, and rows with running effects.
enum Rows {
  struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var count = 0
  }

  struct App: Equatable, Sendable {
    var count = 0
    var rows: IdentifiedArray<Int, Row>

    init(_ number: Int) {
      rows = IdentifiedArray(uniqueElements: (0..<number).map { Row(id: $0) })
    }
  }

  enum Action: Sendable {
    case tapped
    case row(Int, RowAction)

    static let toRow = CasePath<Action, (Int, RowAction)>(
      embed: { .row($0, $1) },
      extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  }

  enum RowAction: Sendable { case tapped, follow }

  private static let row = Reducer<Row, RowAction, Void> { state, action, _ in
    switch action {
    case .tapped:
      state.count += 1
      return .none
    case .follow:
      return .run { _ in try await Sleepers.sleep() }
    }
  }

  static let app = Reducer<App, Action, Void>.combine(
    row.forEach(state: \.rows, action: Action.toRow, environment: { $0 }),
    Reducer { state, action, _ in
      state.count += 1
      return .none
    })

  /// Sends actions to a store with a number of rows.
  static func send(_ number: Int) -> Workload {
    let store = Store(initialState: App(number), reducer: app, environment: ())
    return Workload(suspending: { count in
      for _ in 0..<count { await store.send(.tapped) }
    })
  }

  /// Sends actions to a store with a number of rows, while a task follows its states.
  static func sendWithReader(_ number: Int) -> Workload {
    let store = Store(initialState: App(number), reducer: app, environment: ())
    let states = store.states
    Task {
      for await state in states { sink(state.count) }
    }
    return Workload(suspending: { count in
      for _ in 0..<count { await store.send(.tapped) }
    })
  }

  /// Sends actions to a store with a number of rows that have a running effect.
  static func sendWithEffects(_ number: Int) -> Workload {
    let store = Store(initialState: App(number), reducer: app, environment: ())
    let isStarted = Mutex(false)
    return Workload(suspending: { count in
      if isStarted.withLock({ isStarted in
        defer { isStarted = true }; return !isStarted
      }) {
        for id in 0..<number { await store.send(.row(id, .follow)) }
      }
      for _ in 0..<count { await store.send(.tapped) }
    })
  }

  /// Sends actions to an observable store with a number of child stores.
  static func sendWithChildren(_ number: Int, observed: Bool) -> Workload {
    let parents = Parents()
    return Workload(suspending: { count in
      await parents.store(number, observed).send(count)
    })
  }

  /// Sends actions to an observable store, and then compares a number of rows.
  static func sendAndCompare(_ number: Int) -> Workload {
    let parents = Parents()
    return Workload(suspending: { count in
      await parents.store(number, false).sendAndCompare(count)
    })
  }

  /// Creates a store with children, once.
  private final class Parents: Sendable {
    @MainActor private var parent: Parent?

    nonisolated init() {}

    @MainActor
    func store(_ number: Int, _ observed: Bool) -> Parent {
      let parent = self.parent ?? Parent(number, observed)
      self.parent = parent
      return parent
    }
  }

  @MainActor
  private final class Parent {
    private let store: ObservableStore<App, Action>
    private let children: [ObservableStore<Row, RowAction>]
    private let rows: IdentifiedArray<Int, Row>
    private let parts: [((IdentifiedArray<Int, Row>) -> Row?, Row)]

    init(_ number: Int, _ observed: Bool) {
      store = ObservableStore(initialState: App(number), reducer: app, environment: ())
      rows = App(number).rows
      let children = (0..<number).map { [store] id in
        store.children(state: \.rows, action: Action.row)[id: id]!
      }
      self.children = children
      parts = (0..<number).map { id in ({ $0[id: id] }, Row(id: id)) }
      guard observed else { return }
      withObservationTracking {
        for child in children { sink(child.count) }
      } onChange: {
      }
    }

    func send(_ count: Int) {
      for _ in 0..<count { store.send(.tapped) }
    }

    func sendAndCompare(_ count: Int) {
      for _ in 0..<count {
        store.send(.tapped)
        for (part, row) in parts where part(rows) != row { sink(row.count) }
      }
    }
  }
}
