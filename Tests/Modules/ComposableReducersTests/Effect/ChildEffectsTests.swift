import ComposableTesting
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// Effects of a child end with the child's state.
@Suite("Effects of removed children")
struct ChildEffectsTests {
  private struct Row: Equatable, Identifiable, Sendable {
    var id = 0
    var log: [String] = []
    var detail: Detail? = Detail()
  }

  private struct Detail: Equatable, Sendable {
    var log: [String] = []
  }

  private enum Screen: Equatable, Sendable {
    case row(Row)
    case empty
  }

  private struct App: Equatable, Sendable {
    var optional: Row? = Row()
    var screen = Screen.row(Row())
    var rows: IdentifiedArray<Int, Row> = [Row(id: 1), Row(id: 2)]
    var entries = ["a": Row(id: 1), "b": Row(id: 2)]
  }

  private enum RowAction: Sendable {
    case start(Gate)
    case startThen(Effect<RowAction>)
    case log(String)
    case detail(DetailAction)
  }

  private enum DetailAction: Sendable {
    case start(Gate)
    case log(String)
  }

  private enum AppAction: Sendable {
    case optional(RowAction)
    case screen(RowAction)
    case row(Int, RowAction)
    case entry(String, RowAction)
    case change(@Sendable (inout App) -> Void)
  }

  private static let detail = Reducer<Detail, DetailAction, Void> { state, action, _ in
    switch action {
    case .log(let text):
      state.log.append(text)
      return .none
    case .start(let started):
      return .run { send in
        await send(.log("starts"))
        started.open()
        try? await Task.sleep(for: .seconds(1_000_000))
        await send(.log("is heard"))
      }
    }
  }

  private static let row = Reducer<Row, RowAction, Void>.combine(
    detail.optional().pullback(
      state: \.detail,
      action: CasePath(RowAction.detail) {
        if case .detail(let action) = $0 { action } else { nil }
      }, environment: { $0 }),
    Reducer { state, action, _ in
      switch action {
      case .log(let text):
        state.log.append(text)
        return .none
      case .start(let started):
        return .run { send in
          await send(.log("starts"))
          started.open()
          try? await Task.sleep(for: .seconds(1_000_000))
          await send(.log("is heard"))
        }
      case .startThen(let effect):
        return effect
      case .detail:
        return .none
      }
    })

  private static let app = Reducer<App, AppAction, Void>.combine(
    row.optional().pullback(
      state: \.optional,
      action: CasePath(AppAction.optional) {
        if case .optional(let action) = $0 { action } else { nil }
      }, environment: { $0 }),
    row.pullback(
      state: CasePath(Screen.row) { if case .row(let state) = $0 { state } else { nil } },
      action: CasePath(AppAction.screen) {
        if case .screen(let action) = $0 { action } else { nil }
      }, environment: { $0 }
    )
    .pullback(state: \.screen, action: .identity, environment: { $0 }),
    row.forEach(
      state: \.rows,
      action: CasePath(AppAction.row) {
        if case .row(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    row.forEach(
      state: \.entries,
      action: CasePath(AppAction.entry) {
        if case .entry(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    Reducer { state, action, _ in
      if case .change(let change) = action { change(&state) }
      if case .optional(.log("close")) = action { state.optional = nil }
      return .none
    })

  private func store() -> Store<App, AppAction> {
    Store(initialState: App(), reducer: Self.app, environment: ())
  }

  private func endsWithChild(
    _ action: @Sendable (RowAction) -> AppAction, _ change: @escaping @Sendable (inout App) -> Void
  ) async -> Bool {
    let store = store()
    var tasks: [StoreTask] = []
    for child in [RowAction.start, { .detail(.start($0)) }] {
      let started = Gate()
      tasks.append(await store.send(action(child(started))))
      await started.wait()
    }
    let other = Gate()
    let survivor = await store.send(.row(2, .start(other)))
    await other.wait()
    let reported = await issues {
      await store.send(.change(change))
      for task in tasks { await task.finish() }
    }
    let isAlive = await store.state.rows[id: 2]?.log == ["starts"]
    await survivor.cancelAndFinish()
    return isAlive && reported.isEmpty
  }

  @Test("an effect ends with its child's optional, case, element or value")
  func ends() async {
    #expect(await endsWithChild(AppAction.optional) { $0.optional = nil })
    #expect(await endsWithChild(AppAction.screen) { $0.screen = .empty })
    #expect(await endsWithChild({ .row(1, $0) }) { _ = $0.rows.remove(id: 1) })
    #expect(await endsWithChild({ .entry("a", $0) }) { $0.entries["a"] = nil })
  }

  @Test("only a grandchild's effect ends when only the grandchild is removed")
  func grandchild() async {
    let store = store()
    let gates = [Gate(), Gate()]
    let child = await store.send(.row(1, .start(gates[0])))
    let grandchild = await store.send(.row(1, .detail(.start(gates[1]))))
    for gate in gates { await gate.wait() }
    await store.send(.change { $0.rows[id: 1]?.detail = nil })
    await grandchild.finish()
    #expect(await store.state.rows[id: 1]?.log == ["starts"])
    await child.cancelAndFinish()
  }

  @Test("a waiting action of a removed child is silently ignored")
  func waitingAction() async {
    let store = store()
    let reported = await issues {
      await store.send(
        .optional(.startThen(.merge(.send(.log("close")), .send(.log("late")))))
      ).finish()
    }
    #expect(await store.state.optional == nil)
    #expect(reported.isEmpty)
  }

  @Test("an effect returned with the action that removes its child runs, cancelled")
  func goesWithItsAction() async {
    let store = store()
    let reducer = Reducer<App, AppAction, Void>.combine(
      Self.app,
      Reducer { state, _, _ in
        state.optional = nil
        return .none
      })
    let other = Store(initialState: App(), reducer: reducer, environment: ())
    let wasCancelled = Mutex<[Bool]>([])
    let run = Effect<RowAction>.run { send in
      wasCancelled.withLock { $0.append(Task.isCancelled && send.isCancelled) }
      await send(.log("is heard"))
    }
    await other.send(.optional(.startThen(run))).finish()
    await store.send(.optional(.startThen(.none))).finish()
    #expect(wasCancelled.withLock { $0 } == [true])
    #expect(await other.state.optional == nil)
  }

  @Test("a child with another id is another child, so the effects of the one before end")
  func replaced() async {
    let replacements: [(@Sendable (RowAction) -> AppAction, @Sendable (inout App) -> Void)] = [
      (AppAction.optional, { $0.optional = Row(id: 7) }),
      (AppAction.screen, { $0.screen = .row(Row(id: 7)) }),
      ({ .entry("a", $0) }, { $0.entries["a"] = Row(id: 7) }),
    ]
    for (action, replace) in replacements {
      let store = store()
      let started = Gate()
      let task = await store.send(action(.start(started)))
      await started.wait()
      // With the same id, it keeps its effects.
      await store.send(.change { $0.optional?.log = [] })
      await store.send(.change(replace))
      await task.finish()
      let state = await store.state
      let logs = [state.optional?.log, state.entries["a"]?.log]
      #expect(!logs.contains { $0?.contains("is heard") == true })
    }
  }

  @Test("a child that is added again keeps nothing of its predecessor")
  func comesBack() async {
    let store = store()
    for _ in 0..<3 {
      let started = Gate()
      let task = await store.send(.optional(.start(started)))
      await started.wait()
      await store.send(.change { $0.optional = nil })
      await task.finish()
      await store.send(.change { $0.optional = Row() })
    }
    #expect(await store.state.optional == Row())
    #expect(await store.isIdle)
  }

  @Test("effects of children that go together end in the order in which they were started")
  func order() async {
    let ended = Mutex<[Int]>([])
    let store = store()
    var tasks: [StoreTask] = []
    let starts: [@Sendable (RowAction) -> AppAction] = [
      { .row(2, $0) }, { .entry("b", $0) }, AppAction.optional, { .row(1, $0) },
      { .entry("a", $0) }, { .row(2, $0) }, AppAction.screen,
    ]
    for (number, action) in starts.enumerated() {
      let started = Gate()
      let effect = Effect<RowAction>.run { _ in
        await withTaskCancellationHandler {
          started.open()
          try? await Task.sleep(for: .seconds(1_000_000))
        } onCancel: {
          ended.withLock { $0.append(number) }
        }
      }
      tasks.append(await store.send(action(.startThen(effect))))
      await started.wait()
    }
    await store.send(
      .change {
        ($0.optional, $0.screen) = (nil, .empty)
        ($0.rows, $0.entries) = ([], [:])
      })
    for task in tasks { await task.finish() }
    #expect(ended.withLock { $0 } == Array(starts.indices))
  }
}
