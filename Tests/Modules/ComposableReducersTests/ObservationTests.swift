import Observation
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Observation of parts of a store's state")
@MainActor
struct ObservationTests {
  private struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var count = 0
  }

  private struct App: Equatable, Sendable {
    var a = 0
    var b = 0
    var nested = Row(id: 0)
    var optional: Row?
    var rows: IdentifiedArray<Int, Row> = [Row(id: 1), Row(id: 2)]
    var tabs = ["x": Row(id: 1)]
    var closure: @Sendable () -> Void = {}

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.a == rhs.a }
  }

  private enum Action: Sendable {
    case change(@Sendable (inout App) -> Void)
    case row(Int, Int)
    case optional(Int)
    case tab(String, Int)
  }

  private nonisolated static let row = Reducer<Row, Int, Void> { state, number, _ in
    state.count += number
    return .none
  }

  private nonisolated static let app = Reducer<App, Action, Void>.combine(
    row.forEach(state: \.rows, action: /Action.row, environment: { $0 }),
    row.forEach(state: \.tabs, action: /Action.tab, environment: { $0 }),
    row.optional().pullback(state: \.optional, action: /Action.optional, environment: { $0 }),
    Reducer { state, action, _ in
      if case .change(let change) = action { change(&state) }
      return .none
    })

  private let store = ObservableStore(initialState: App(), reducer: app, environment: ())

  /// Whether a read is notified of a change of the state.
  private func notifies(
    _ read: () -> Void, of change: @escaping @Sendable (inout App) -> Void
  ) -> Bool {
    let count = Mutex(0)
    withObservationTracking(read) {
      count.withLock { $0 += 1 }
    }
    store.send(.change(change))
    return count.withLock { $0 } > 0
  }

  @Test("a reader of a property is notified only of its changes")
  func property() {
    #expect(notifies({ _ = store.a }) { $0.a += 1 })
    #expect(!notifies({ _ = store.a }) { $0.b += 1 })
    #expect(!notifies({ _ = store[\.a] }) { _ in })
    #expect(notifies({ _ = store[\.a] }) { $0.a += 1 })
    #expect((store.a, store.state.b) == (2, 1))
  }

  @Test("a reader of a nested property is notified only of changes there")
  func nestedProperty() {
    #expect(!notifies({ _ = store[\.nested.count] }) { $0.nested.id = 7 })
    #expect(notifies({ _ = store[\.nested.count] }) { $0.nested.count = 7 })
    #expect(notifies({ _ = store.nested.count }) { $0.nested.id = 8 })
  }

  @Test("a reader is notified of a later change, after unrelated ones")
  func laterChange() {
    let count = Mutex(0)
    withObservationTracking {
      _ = store.a
    } onChange: {
      count.withLock { $0 += 1 }
    }
    for _ in 0..<3 { store.send(.change { $0.b += 1 }) }
    #expect(count.withLock { $0 } == 0)
    store.send(.change { $0.a += 1 })
    #expect(count.withLock { $0 } == 1)
    #expect(store.observedParts.isEmpty)
  }

  @Test("several readers of one property are all notified")
  func severalReaders() {
    let count = Mutex(0)
    for _ in 0..<3 {
      withObservationTracking {
        _ = store.a
      } onChange: {
        count.withLock { $0 += 1 }
      }
    }
    store.send(.change { $0.a += 1 })
    #expect(count.withLock { $0 } == 3)
  }

  @Test("a reader of the state, or of a value that isn't Equatable, is notified after each action")
  func wholeState() {
    #expect(notifies({ _ = store.state }) { _ in })
    #expect(notifies({ _ = store.closure }) { _ in })
    #expect(notifies({ _ = store[\.closure] }) { _ in })
  }

  @Test("a binding notifies only of changes of its value")
  func binding() {
    let binding = store.binding(\.a) { number in Action.change { $0.a = number } }
    #expect(!notifies({ _ = binding.wrappedValue }) { $0.b += 1 })
    #expect(notifies({ _ = binding.wrappedValue }) { $0.a += 1 })
    binding.wrappedValue = 7
    #expect(store.a == 7)
  }

  @Test("a binding of a value that isn't Equatable sets it, and notifies after each action")
  func bindingWithoutComparison() {
    let calls = Mutex(0)
    let binding = store.binding(\.closure) { closure in Action.change { $0.closure = closure } }
    #expect(notifies({ _ = binding.wrappedValue }) { _ in })
    binding.wrappedValue = { calls.withLock { $0 += 1 } }
    binding.wrappedValue()
    store.closure()
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("a child store of an optional appears, disappears, and outlives its part")
  func optionalChild() throws {
    let child = { self.store.optionalChild(state: \.optional, action: Action.optional) }
    #expect(child() == nil)
    #expect(notifies({ _ = child() }) { $0.optional = Row(id: 1) })
    #expect(!notifies({ _ = child() }) { $0.optional?.count = 3 })
    let kept = try #require(child())
    #expect(kept.count == 3)
    kept.send(2)
    #expect(kept.state == Row(id: 1, count: 5))
    #expect(notifies({ _ = child() }) { $0.optional = nil })
    #expect(kept.state == Row(id: 1, count: 5))
    #expect(issues { kept.send(2) }.count == 1)
    #expect(!notifies({ _ = kept.state }) { $0.b += 1 })
    store.send(.change { $0.optional = Row(id: 9) })
    #expect(kept.id == 9)
  }

  @Test("a property of a child store notifies also when it changes back")
  func changesBack() {
    let child = store.child(state: \.nested, action: { (_: Int) in .change { _ in } })
    #expect(notifies({ _ = (child.id, child.count) }) { $0.nested.count = 1 })
    // The id is still observed, so the child store has been compared ever since.
    #expect(notifies({ _ = child.count }) { $0.nested.count = 0 })
    #expect(!notifies({ _ = child.count }) { $0.b += 1 })
    #expect(notifies({ _ = child.count }) { $0.nested.count = 1 })
  }

  @Test("a child store's optional child notifies when the parent adds it")
  func optionalChildOfChild() {
    struct Holder: Equatable, Sendable {
      var row: Row?
    }
    let holder = store.child(
      state: { Holder(row: $0.optional) }, action: { (number: Int) in Action.optional(number) })
    let child = { holder.optionalChild(state: \.row, action: { (number: Int) in number }) }
    #expect(notifies({ _ = child() }) { $0.optional = Row(id: 1) })
    #expect(!notifies({ _ = child() }) { $0.optional?.count = 3 })
    #expect(child()?.count == 3)
    #expect(notifies({ _ = child() }) { $0.optional = nil })
    #expect(child() == nil)
  }

  @Test("child stores of an array and a dictionary outlive their elements")
  func children() throws {
    let rows = { self.store.children(state: \.rows, action: Action.row) }
    let tabs = { self.store.children(state: \.tabs, action: Action.tab) }
    #expect((rows().ids, tabs().ids) == ([1, 2], ["x"]))
    #expect(!notifies({ _ = rows() }) { $0.rows[id: 1]?.count = 3 })
    #expect(notifies({ _ = rows() }) { $0.rows.append(Row(id: 3)) })
    #expect(notifies({ _ = tabs() }) { $0.tabs["y"] = Row(id: 2) })
    let (row, tab) = (try #require(rows()[id: 1]), try #require(tabs()[id: "y"]))
    row.send(2)
    tab.send(7)
    #expect((row.count, tab.count) == (5, 7))
    #expect(!notifies({ _ = row.count }) { $0.rows[id: 2]?.count = 3 })
    #expect(notifies({ _ = row.count }) { $0.rows[id: 1]?.count = 6 })
    #expect(notifies({ _ = row.state }) { $0.rows[id: 1]?.count = 7 })
    #expect(row.count == 7)
    store.send(
      .change {
        $0.rows = []
        $0.tabs = [:]
      })
    #expect((row.count, tab.count) == (7, 7))
    #expect(rows()[id: 1] == nil)
  }

  @Test("unobserved child stores aren't compared")
  func unobservedChildren() {
    let asked = Mutex(0)
    let children = (0..<100).map { _ in
      store.child { (state: App) -> Int in
        asked.withLock { $0 += 1 }
        return state.a
      } action: { (_: Int) in
        .change { _ in }
      }
    }
    asked.withLock { $0 = 0 }
    store.send(.change { $0.a += 1 })
    #expect(asked.withLock { $0 } == 0)
    #expect(notifies({ _ = children[0].state }) { $0.a += 1 })
    asked.withLock { $0 = 0 }
    store.send(.change { $0.a += 1 })
    #expect(asked.withLock { $0 } == 0, "it was notified, and not read since")
  }

  @Test("a store that was never read isn't observed, so its state isn't compared")
  func neverRead() {
    let child = store.child(state: \.a, action: { (_: Int) in .change { _ in } })
    #expect(store.observedParts.isEmpty && child.observedParts.isEmpty)
    store.send(.change { $0.a += 1 })
    #expect(store.observedParts.isEmpty && child.observedParts.isEmpty)
    _ = child.state
    #expect(!store.observedParts.isEmpty && !child.observedParts.isEmpty)
  }

  @Test("a reader of a child store that nothing retains is notified of changes of its part")
  func unretainedChild() {
    let rows = store.children(state: \.rows, action: Action.row)
    let reads: [() -> Void] = [
      { _ = store.child(state: \.rows[id: 1]!.count, action: { Action.row(1, $0) }).state },
      { _ = store.child(state: \.rows, action: { Action.row(1, $0) })[\.first!.count] },
      { _ = rows[id: 1]?.count },
      {
        _ =
          store.child(state: \.nested, action: Self.ignore).child(
            state: \.count, action: Self.ignore
          ).state
      },
    ]
    for (number, read) in reads.enumerated() {
      #expect(!notifies(read) { $0.b += 1 }, "\(number)")
      #expect(
        notifies(read) {
          $0.rows[id: 1]?.count += 1
          $0.nested.count += 1
        }, "\(number)")
    }
  }

  private static func ignore(_: Int) -> Action { .change { _ in } }
  private static func ignore(_: Int) -> Int { 0 }

  @Test("a reader is notified by a child store that is made where a released one was")
  func replacedChild() {
    for _ in 0..<50 {
      let count = Mutex(0)
      var child: ObservableStore<Int, Int>?
      for _ in 0..<2 {
        child = nil
        child = store.child(state: \.a, action: Self.ignore)
        withObservationTracking {
          _ = child!.state
        } onChange: {
          count.withLock { $0 += 1 }
        }
      }
      store.send(.change { $0.a += 1 })
      #expect(count.withLock { $0 } == 2)
    }
  }

  @Test(
    "only some of the child stores that nothing retains are compared; the others notify early",
    arguments: [{ _ = $0.state }, { _ = $0.magnitude }]
      as [@MainActor (ObservableStore<Int, Int>) -> Void])
  func manyUnretainedChildren(read: @MainActor (ObservableStore<Int, Int>) -> Void) {
    /// Returns the numbers of notifications after an action, and of comparisons after the next.
    func observe(_ children: Int, retaining retained: Int = 0) -> [Int] {
      let count = Mutex(0)
      let asked = Mutex(0)
      var kept: [ObservableStore<Int, Int>] = []
      for number in 0..<children {
        let child = store.child(
          state: { state in
            asked.withLock { $0 += 1 }
            return state.a
          }, action: Self.ignore)
        withObservationTracking {
          read(child)
        } onChange: {
          count.withLock { $0 += 1 }
        }
        if number < retained { kept.append(child) }
      }
      store.send(.change { $0.b += 1 })
      let notified = count.withLock { $0 }
      asked.withLock { $0 = 0 }
      store.send(.change { $0.b += 1 })
      defer { store.send(.change { $0.a += 1 }) }
      return withExtendedLifetime(kept) { [notified, asked.withLock { $0 }] }
    }
    #expect(observe(64) == [0, 64])
    #expect(observe(65) == [65, 0])
    #expect(observe(200, retaining: 100) == [0, 200])
    #expect(observe(201, retaining: 100) == [101, 100])
    #expect(store.observedParts.isEmpty)
  }

  @Test("properties don't notify early, however many are observed")
  func manyProperties() {
    let read = { for id in 0..<200 { _ = store[\.rows[id: id]] } }
    #expect(!notifies(read) { $0.b += 1 })
    #expect(notifies(read) { $0.rows[id: 2]?.count += 1 })
  }
}
