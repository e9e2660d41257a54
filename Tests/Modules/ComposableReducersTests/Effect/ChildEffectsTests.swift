import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Effects of removed children")
struct ChildEffectsTests {
  struct Row: Equatable, Identifiable, Sendable {
    var id = 1
    var isHeard = false
  }

  enum Screen: Equatable, Sendable {
    case row(Row)
    case empty
  }

  struct App: Equatable, Sendable {
    var optional: Row? = Row()
    var screen = Screen.row(Row())
    var rows: IdentifiedArray<Int, Row> = [Row(), Row(id: 2)]
    var entries = ["a": Row()]
  }

  private enum RowAction: Sendable {
    case start(Gate)
    case isHeard
    case leave, left
  }

  private enum Action: Sendable {
    case optional(RowAction)
    case screen(RowAction)
    case row(Int, RowAction)
    case entry(String, RowAction)
    case change(@Sendable (inout App) -> Void)
  }

  private static let row = Reducer<Row, RowAction, Void> { state, action, _ in
    switch action {
    case .start(let goOn):
      return .run { send in
        await goOn.wait()
        await send(.isHeard)
      }
    case .isHeard:
      state.isHeard = true
      return .none
    case .leave:
      return .merge(.send(.left), .send(.isHeard))
    case .left:
      return .none
    }
  }

  private static let app = Reducer<App, Action, Void>.combine(
    row.optional().pullback(
      state: \.optional,
      action: CasePath(Action.optional) {
        if case .optional(let action) = $0 { action } else { nil }
      }, environment: { $0 }),
    row.pullback(
      state: CasePath(Screen.row) { if case .row(let state) = $0 { state } else { nil } },
      action: CasePath(Action.screen) {
        if case .screen(let action) = $0 { action } else { nil }
      }, environment: { $0 }
    )
    .pullback(state: \.screen, action: .identity, environment: { $0 }),
    row.forEach(
      state: \.rows,
      action: CasePath(Action.row) {
        if case .row(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    row.forEach(
      state: \.entries,
      action: CasePath(Action.entry) {
        if case .entry(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    Reducer { state, action, _ in
      if case .change(let change) = action { change(&state) }
      if case .optional(.left) = action { state.optional = nil }
      return .none
    })

  @Test(
    "effects of an optional, a case, an element and a value end with it, or if its id changes",
    arguments: [(nil, isHeard: false), (Row(id: 7), false), (Row(id: 1), true)])
  func end(next: Row?, isHeard: Bool) async {
    let store = Store(initialState: App(), reducer: Self.app, environment: ())
    let goOn = Gate()
    let start = RowAction.start(goOn)
    let reported = await issues {
      var tasks: [StoreTask] = []
      for action in [Action.optional(start), .screen(start), .row(1, start), .entry("a", start)] {
        tasks.append(await store.send(action))
      }
      tasks.append(await store.send(.row(2, start)))
      await goOn.waitForArrivals(5)
      await store.send(
        .change {
          $0.optional = next
          $0.screen = next.map(Screen.row) ?? .empty
          $0.rows[id: 1] = nil
          if let next { $0.rows.append(next) }
          $0.entries["a"] = next
        })
      goOn.open()
      for task in tasks { await task.finish() }
    }
    let last = next.map { Row(id: $0.id, isHeard: isHeard) }
    var expected = App()
    expected.optional = last
    expected.screen = last.map(Screen.row) ?? .empty
    expected.rows = [Row(id: 2, isHeard: true)]
    if let last { expected.rows.append(last) }
    expected.entries["a"] = last
    #expect(await store.state == expected)
    #expect(reported.isEmpty)
  }

  @Test("the effects of the last row end when it is taken out in place")
  func takenInPlace() async {
    let store = Store(initialState: App(), reducer: Self.app, environment: ())
    let goOn = Gate()
    let reported = await issues {
      let task = await store.send(.row(2, .start(goOn)))
      await goOn.waitForArrivals()
      await store.send(.change { _ = $0.rows[id: 2].take() })
      goOn.open()
      await task.finish()
    }
    #expect(await store.state.rows == [Row()])
    #expect(reported.isEmpty)
  }

  @Test("a waiting action of a removed child is silently ignored")
  func waitingAction() async {
    let store = Store(initialState: App(), reducer: Self.app, environment: ())
    let reported = await issues { await store.send(.optional(.leave)).finish() }
    #expect(await store.state.optional == nil)
    #expect(reported.isEmpty)
  }

  @Test("an effect that is returned with the action that removes its child is cancelled")
  func goesWithItsAction() async {
    let reducer = Reducer<App, Action, Void>.combine(
      Self.app,
      Reducer { state, _, _ in
        state.optional = nil
        return .none
      })
    let store = Store(initialState: App(), reducer: reducer, environment: ())
    let goOn = Gate()
    let reported = await issues {
      let task = await store.send(.optional(.start(goOn)))
      goOn.open()
      await task.finish()
    }
    #expect(await store.state.optional == nil)
    #expect(reported.isEmpty)
  }

  /// A row that counts how often its id is read.
  private struct CountedRow: Identifiable, Sendable {
    static let reads = Shared(0)

    let number: Int
    var changes = 0

    var id: Int {
      Self.reads.update { $0 += 1 }
      return number
    }
  }

  @Test(
    "an action checks only the rows with effects that it may have changed", .serialized,
    arguments: [0, 1])
  func checkedRows(changed: Int) async {
    let row = Reducer<CountedRow, Gate, Void> { _, gate, _ in .run { _ in await gate.wait() } }
    // An action of no row, which only the second reducer sees.
    let path = CasePath<(Int, Gate), (Int, Gate)> {
      $0
    } extract: {
      $0.0 < 0 ? nil : $0
    }
    let reducer = Reducer<IdentifiedArrayOf<CountedRow>, (Int, Gate), Void>.combine(
      row.forEach(state: \.self, action: path, environment: { $0 }),
      Reducer { rows, action, _ in
        if action.0 == -1, changed > 0 { rows[0].changes += changed }
        return .none
      })
    let store = Store(
      initialState: IdentifiedArray((0..<1_000).map { CountedRow(number: $0) }), reducer: reducer,
      environment: ())
    let gate = Gate()
    var tasks: [StoreTask] = []
    for id in 0..<1_000 { tasks.append(await store.send((id, gate))) }
    await store.send((-1, gate))
    CountedRow.reads.update { $0 = 0 }
    await store.send((-1, gate))
    #expect(CountedRow.reads.value <= 4 * changed)
    gate.open()
    for task in tasks { await task.finish() }
  }
}
