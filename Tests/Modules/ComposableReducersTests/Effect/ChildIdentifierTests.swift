import ComposableTesting
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Identifiers of children's effects")
struct ChildIdentifierTests {
  /// A row with rows below it, and one that may be missing.
  struct Row: Equatable, Identifiable, Sendable {
    let id: Int
    var saved = 0
    var rows: IdentifiedArrayOf<Row> = []
    var named: [String: Row] = [:]
    var detail: [Row] = []

    var optionalDetail: Row? {
      get { detail.first }
      set { detail = newValue.map { [$0] } ?? [] }
    }

    /// How often each row was saved, this one first.
    var all: [Int] {
      [saved] + (rows.elements + named.values.sorted { $0.id < $1.id } + detail).flatMap(\.all)
    }
  }

  indirect enum Action: Sendable {
    case save, stop, saved, close(Int)
    case row(Int, Action), named(String, Action), detail(Action)

    static let toRow = CasePath(Self.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }
    static let toNamed = CasePath(Self.named) {
      if case .named(let id, let action) = $0 { (id, action) } else { nil }
    }
    static let toDetail = CasePath(Self.detail) {
      if case .detail(let action) = $0 { action } else { nil }
    }
  }

  enum How: CaseIterable {
    case debounce, throttle, cancelInFlight, cancel, part
  }

  static func tree(_ how: How, _ clock: TestClock) -> Reducer<Row, Action, Void> {
    .recursive { row in
      .combine(
        row.forEach(state: \.rows, action: Action.toRow, environment: { $0 }),
        row.forEach(state: \.named, action: Action.toNamed, environment: { $0 }),
        row.optional().pullback(
          state: \.optionalDetail, action: Action.toDetail, environment: { $0 }),
        Reducer { row, action, _ in
          switch action {
          case .saved: row.saved += 1
          case .close(let id): row.rows.remove(id: id)
          case .stop: return .cancel(id: "save")
          case .save: return save(how, clock)
          case .row, .named, .detail: break
          }
          return .none
        })
    }
  }

  static func save(_ how: How, _ clock: TestClock) -> Effect<Action> {
    let save = Effect<Action>.run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.saved)
    }
    switch how {
    case .cancel: return save.cancellable(id: "save")
    case .cancelInFlight: return save.cancellable(id: "save", cancelInFlight: true)
    case .debounce:
      return .send(.saved).debounce(id: "save", for: .seconds(1), clock: clock)
    case .throttle:
      return .send(.saved).throttle(id: "save", for: .seconds(1), clock: clock, latest: true)
    case .part:
      return .run { send in
        try await send.withTaskCancellation(id: "save", cancelInFlight: true) { send in
          try await clock.sleep(for: .seconds(1))
          await send(.saved)
        }
      }
    }
  }

  static let start = Row(
    id: 0, rows: [Row(id: 1, rows: [Row(id: 1)]), Row(id: 2)],
    named: ["1": Row(id: 3), "2": Row(id: 4)], detail: [Row(id: 1)])

  /// The ways to all rows.
  static let ways: [@Sendable (Action) -> Action] = [
    { $0 }, { .row(1, $0) }, { .row(1, .row(1, $0)) }, { .row(2, $0) }, { .named("1", $0) },
    { .named("2", $0) }, { .detail($0) },
  ]

  func store(_ how: How, _ clock: TestClock) -> Store<Row, Action> {
    Store(initialState: Self.start, reducer: Self.tree(how, clock), environment: ())
  }

  @Test(
    "rule 25: equal identifiers of a parent, of siblings and of children don't disturb each other",
    .isolatedDependencies, arguments: How.allCases)
  func independence(_ how: How) async {
    let clock = TestClock()
    let store = store(how, clock)
    // A parent's debounce cancels what is below, so the parent comes first.
    for way in Self.ways {
      await store.send(way(.save))
      await settle()
    }
    await clock.advance(by: .seconds(10))
    #expect(await store.state.all == [1, 1, 1, 1, 1, 1, 1])
  }

  @Test(
    "rule 25: cancel reaches a child and those below it", .isolatedDependencies,
    arguments: zip(
      ways,
      [
        [0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 1, 1, 1], [1, 1, 0, 1, 1, 1, 1],
        [1, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1, 1, 0, 1],
        [1, 1, 1, 1, 1, 1, 0],
      ]))
  func cancelling(_ way: @escaping @Sendable (Action) -> Action, saved: [Int]) async {
    let clock = TestClock()
    let store = store(.cancel, clock)
    for way in Self.ways { await store.send(way(.save)) }
    await settle()
    await store.send(way(.stop))
    await clock.advance(by: .seconds(10))
    #expect(await store.state.all == saved)
  }

  @Test(
    "rule 25: a parent's debounce, cancelInFlight and part end those of its children",
    .isolatedDependencies, arguments: [How.debounce, .cancelInFlight, .part])
  func fromAbove(_ how: How) async {
    let clock = TestClock()
    let store = store(how, clock)
    for way in Self.ways.reversed() {
      await store.send(way(.save))
      await settle()
    }
    await clock.advance(by: .seconds(10))
    #expect(await store.state.all == [1, 0, 0, 0, 0, 0, 0])
  }

  @Test(
    "rule 25: a removed grandchild of a recursive feature ends its effects", .isolatedDependencies)
  func recursion() async {
    let clock = TestClock()
    let store = store(.cancel, clock)
    let task = await store.send(.row(1, .row(1, .save)))
    let other = await store.send(.row(1, .save))
    await store.send(.row(1, .close(1)))
    await task.finish()
    await clock.advance(by: .seconds(10))
    await other.finish()
    #expect(await store.state.all == [0, 1, 0, 0, 0, 0])
  }

  @Test("a recursive reducer is freed")
  func recursionIsFreed() async {
    let alive = AliveCounter()
    do {
      let object = Tracked(alive)
      let reducer = Reducer<Row, Action, Void>.recursive { row in
        .combine(
          row.forEach(state: \.rows, action: Action.toRow, environment: { $0 }),
          Reducer { row, action, _ in
            if case .saved = action { row.saved += 1 }
            _ = object
            return .none
          })
      }
      var state = Self.start
      _ = reducer(&state, .row(1, .row(1, .saved)), ())
      #expect(state.rows[id: 1]?.rows[id: 1]?.saved == 1)
    }
    #expect(await alive.left() == 0)
  }

  struct Pair: Equatable, Sendable {
    var child = Row(id: 0)
  }

  enum PairAction: Sendable {
    case one(Action), two(Action)

    static func path(
      _ embed: @escaping @Sendable (Action) -> Self,
      _ extract: @escaping @Sendable (Self) -> Action?
    ) -> CasePath<Self, Action> { CasePath(embed, extract: extract) }
  }

  @Test(
    "rule 25: reducers over the same state are one child", .isolatedDependencies)
  func sameState() async {
    let clock = TestClock()
    let row = Self.tree(.cancel, clock)
    let one = PairAction.path(PairAction.one) {
      if case .one(let action) = $0 { action } else { nil }
    }
    let two = PairAction.path(PairAction.two) {
      if case .two(let action) = $0 { action } else { nil }
    }
    let pair: Reducer<Pair, PairAction, Void> = .combine(
      row.pullback(state: \.child, action: one, environment: { $0 }),
      row.pullback(state: \.self, action: .identity, environment: { $0 })
        .pullback(state: \.child, action: two, environment: { $0 }))
    let store = Store(initialState: Pair(), reducer: pair, environment: ())
    await store.send(.one(.save))
    await settle()
    await store.send(.two(.stop))
    await clock.advance(by: .seconds(10))
    #expect(await store.state.child.saved == 0)
  }

  private enum ListAction: Sendable {
    case set([Int: Int])
    case row(Int, RowAction)
  }

  private enum RowAction: Sendable { case save, saved }

  /// A store of rows that save themselves at most once in an interval.
  private func throttledRows(_ clock: TestClock) -> Store<[Int: Int], ListAction> {
    let row = Reducer<Int, RowAction, Void> { count, action, _ in
      switch action {
      case .save:
        return .send(.saved).throttle(id: "save", for: .seconds(1), clock: clock, latest: true)
      case .saved: count += 1
      }
      return .none
    }
    let rows: Reducer<[Int: Int], ListAction, Void> = row.forEach(
      state: \.self,
      action: CasePath(ListAction.row) {
        if case .row(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 })
    let list = Reducer<[Int: Int], ListAction, Void> { rows, action, _ in
      if case .set(let new) = action { rows = new }
      return .none
    }
    return Store(initialState: [:], reducer: .combine(rows, list), environment: ())
  }

  @Test(
    "rule 25: a row that returns with the id of one that is gone has intervals of its own",
    .isolatedDependencies)
  func returningRow() async {
    let store = throttledRows(TestClock())
    for _ in 0..<2 {
      await store.send(.set([1: 0]))
      await store.send(.row(1, .save))
      await settle()
      #expect(await store.state == [1: 1])
      await store.send(.set([:]))
    }
  }

  @Test("rule 25: each of many rows keeps its interval until that is over", .isolatedDependencies)
  func manyIntervals() async {
    let clock = TestClock()
    let store = throttledRows(clock)
    await store.send(.set(Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, 0) })))
    for _ in 0..<2 {
      for id in 0..<200 { await store.send(.row(id, .save)) }
      await settle()
      #expect(await store.state.values.allSatisfy { $0 == 1 })
    }
    await clock.advance(by: .seconds(1))
    #expect(await store.state.values.allSatisfy { $0 == 2 })
  }
}
