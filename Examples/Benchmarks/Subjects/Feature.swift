import ComposableReducers

/// A feature three levels below the root, and the same program written by hand.
enum Feature {
  /// The source of the levels' environments.
  enum Environments { case made, derived }

  /// Sends actions to a store whose reducer is pulled back three times.
  static func send(_ environments: Environments) -> Workload {
    let store = DependencyScope.overriding(1).run {
      Store(initialState: App(), reducer: reducer(environments), environment: AppEnvironment())
    }
    return Workload(suspending: { count in
      for _ in 0..<count { await store.send(.tab(.list(.row(.tapped)))) }
    })
  }

  /// The same three changes of state in one actor method, inside three bindings.
  static let byHand = Workload(suspending: { count in
    let byHand = ByHand()
    for _ in 0..<count { await byHand.tap() }
  })

  private static func reducer(
    _ environments: Environments
  ) -> Reducer<App, AppAction, AppEnvironment> {
    switch environments {
    case .made:
      let list: Reducer<List, ListAction, ListEnvironment> = row.pullback(
        state: \.row, action: ListAction.toRow)
      let tab: Reducer<Tab, TabAction, TabEnvironment> = list.pullback(
        state: \.list, action: TabAction.toList)
      return tab.pullback(state: \.tab, action: AppAction.toTab)
    case .derived:
      let list: Reducer<List, ListAction, ListEnvironment> = row.pullback(
        state: \.row, action: ListAction.toRow, environment: \.row)
      let tab: Reducer<Tab, TabAction, TabEnvironment> = list.pullback(
        state: \.list, action: TabAction.toList, environment: \.list)
      return tab.pullback(state: \.tab, action: AppAction.toTab, environment: \.tab)
    }
  }

  private static let row = Reducer<Row, RowAction, RowEnvironment> { state, action, _ in
    state.taps += 1
    state.isOn.toggle()
    state.last = state.taps
    return .none
  }

  private actor ByHand {
    var state = App()
    private let box = Bare.Box(7)

    func tap() {
      Bare.$box.withValue(box) {
        Bare.$box.withValue(box) {
          Bare.$box.withValue(box) {
            state.tab.list.row.taps += 1
            state.tab.list.row.isOn.toggle()
            state.tab.list.row.last = state.tab.list.row.taps
          }
        }
      }
    }
  }
}

// MARK: - State

private struct App { var tab = Tab() }
private struct Tab { var list = List() }
private struct List { var row = Row() }

private struct Row {
  var taps = 0
  var isOn = false
  var last = 0
}

// MARK: - Actions

private enum AppAction {
  case tab(TabAction), appeared
  static let toTab = CasePath<AppAction, TabAction>(
    embed: { .tab($0) }, extract: { if case .tab(let action) = $0 { action } else { nil } })
}

private enum TabAction {
  case list(ListAction), selected
  static let toList = CasePath<TabAction, ListAction>(
    embed: { .list($0) }, extract: { if case .list(let action) = $0 { action } else { nil } })
}

private enum ListAction {
  case row(RowAction), scrolled
  static let toRow = CasePath<ListAction, RowAction>(
    embed: { .row($0) }, extract: { if case .row(let action) = $0 { action } else { nil } })
}

private enum RowAction { case tapped, swiped }

// MARK: - Environments

private struct AppEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var tab = TabEnvironment().with(\.number, 1)
}

private struct TabEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var list = ListEnvironment().with(\.number, 2)
}

private struct ListEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var row = RowEnvironment().with(\.number, 3)
}

private struct RowEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
}
