import Observation
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Observation of a store's state")
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
    var flag: Bool?
    var rows: IdentifiedArray<Int, Row> = [Row(id: 1), Row(id: 2)]
    var tabs = ["x": Row(id: 1)]
    var closure: @Sendable () -> Void = {}

    /// Counts how often it is read.
    var counted: Int {
      ObservationTests.asked.withLock { $0 += 1 }
      return a
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.a == rhs.a }
  }

  private nonisolated static let asked = Mutex(0)

  /// How often the state is asked for ``App/counted`` while something runs.
  private func timesAsked(_ body: () -> Void) -> Int {
    Self.asked.withLock { $0 = 0 }
    body()
    return Self.asked.withLock { $0 }
  }

  private enum Action: Sendable {
    case change(@Sendable (inout App) -> Void)
    case later(@Sendable (inout App) -> Void)
    case row(Int, Int)
    case optional(Int)
    case tab(String, Int)
  }

  private nonisolated static let row = Reducer<Row, Int, Void> { state, number, _ in
    state.count += number
    return .none
  }

  private nonisolated static let app = Reducer<App, Action, Void>.combine(
    row.forEach(
      state: \.rows,
      action: CasePath(Action.row) {
        if case .row(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    row.forEach(
      state: \.tabs,
      action: CasePath(Action.tab) {
        if case .tab(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    row.optional().pullback(
      state: \.optional,
      action: CasePath(Action.optional) {
        if case .optional(let action) = $0 { action } else { nil }
      }, environment: { $0 }),
    Reducer { state, action, _ in
      switch action {
      case .change(let change): change(&state)
      case .later(let change): return .run { send in await send(.change(change)) }
      case .row, .optional, .tab: break
      }
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

  @Test("each change notifies exactly the readers of what it changes")
  func readersOfChanges() throws {
    store.send(.change { $0.optional = Row(id: 9) })
    let nested = store.child(state: \.nested, action: { (_: Int) in .change { _ in } })
    let optional = try #require(
      store.optionalChild(state: \.optional, action: Action.optional))
    let rows = store.children(state: \.rows, action: Action.row)
    let (first, second) = (try #require(rows[id: 1]), try #require(rows[id: 2]))
    let readers: [(name: String, read: () -> Void)] = [
      ("state", { _ = self.store.state }),
      ("closure", { _ = self.store.closure }),
      ("closure by key path", { _ = self.store[\.closure] }),
      ("a", { _ = self.store.a }),
      ("a once more", { _ = self.store.a }),
      ("b", { _ = self.store[\.b] }),
      ("all of nested", { _ = self.store.nested.count }),
      ("nested by key path", { _ = self.store[\.nested.count] }),
      ("nested", { _ = nested.state }),
      ("nested id", { _ = nested.id }),
      ("nested count", { _ = nested.count }),
      ("presence", { _ = self.store.optionalChild(state: \.optional, action: Action.optional) }),
      ("optional count", { _ = optional.count }),
      ("rows", { _ = self.store.children(state: \.rows, action: Action.row) }),
      ("first", { _ = first.state }),
      ("first count", { _ = first.count }),
      ("second count", { _ = second.count }),
    ]
    let changes: [(change: @Sendable (inout App) -> Void, notified: Set<String>)] = [
      ({ _ in }, []),
      ({ $0.a = $0.a }, []),
      ({ $0.rows = $0.rows }, []),
      ({ $0.a += 1 }, ["a", "a once more"]),
      ({ $0.b += 1 }, ["b"]),
      (
        { $0.nested.count += 1 },
        ["all of nested", "nested by key path", "nested", "nested count"]
      ),
      ({ $0.nested.id += 1 }, ["all of nested", "nested", "nested id"]),
      ({ $0.optional?.count += 1 }, ["optional count"]),
      ({ $0.optional?.id += 1 }, []),
      ({ $0.rows[id: 1]?.count += 1 }, ["first", "first count"]),
      ({ $0.rows[id: 2]?.count += 1 }, ["second count"]),
      ({ $0.rows.swapAt(0, 1) }, ["rows"]),
      ({ $0.rows.append(Row(id: 3)) }, ["rows"]),
      ({ $0.rows[id: 1] = nil }, ["rows"]),
      ({ $0.optional = nil }, ["presence"]),
    ]
    // Of each action, because what they read is the whole state, or isn't Equatable.
    let always = ["state", "closure", "closure by key path"]
    for (number, (change, expected)) in changes.enumerated() {
      let notified = Mutex<[String]>([])
      for reader in readers {
        let name = reader.name
        withObservationTracking(reader.read) {
          notified.withLock { $0.append(name) }
        }
      }
      store.send(.change(change))
      // Each of them once.
      #expect(
        notified.withLock { $0.sorted() } == expected.union(always).sorted(),
        "of change \(number)")
    }
  }

  @Test("a reader is notified once of a later change, after unrelated ones")
  func laterChange() {
    let count = Mutex(0)
    withObservationTracking {
      _ = store.a
    } onChange: {
      count.withLock { $0 += 1 }
    }
    for _ in 0..<3 { store.send(.change { $0.b += 1 }) }
    #expect(count.withLock { $0 } == 0)
    for _ in 0..<2 { store.send(.change { $0.a += 1 }) }
    #expect(count.withLock { $0 } == 1)
    #expect(store.observedParts.isEmpty)
  }

  @Test("a child store of an optional outlives its part, and continues with the next")
  func optionalChild() throws {
    let child = { self.store.optionalChild(state: \.optional, action: Action.optional) }
    #expect(child() == nil)
    #expect(notifies({ _ = child() }) { $0.optional = Row(id: 1) })
    let kept = try #require(child())
    kept.send(2)
    #expect(kept.count == 2)
    #expect(notifies({ _ = child() }) { $0.optional = nil })
    #expect(kept.state == Row(id: 1, count: 2))
    #expect(issues { kept.send(2) }.count == 1)
    #expect(!notifies({ _ = kept.state }) { $0.b += 1 })
    store.send(.change { $0.optional = Row(id: 9) })
    #expect(kept.id == 9)
  }

  @Test("an optional `Bool` that changes notifies its child store, and no reader of its presence")
  func optionalBool() throws {
    let child = { self.store.optionalChild(state: \.flag) { (_: Int) in .change { _ in } } }
    store.send(.change { $0.flag = true })
    #expect(!notifies({ _ = child() }) { $0.flag = false })
    #expect(notifies({ _ = child()?.state }) { $0.flag = true })
    #expect(notifies({ _ = child() }) { $0.flag = nil })
  }

  @Test("child stores of an array and a dictionary outlive their elements")
  func children() throws {
    let rows = { self.store.children(state: \.rows, action: Action.row) }
    let tabs = { self.store.children(state: \.tabs, action: Action.tab) }
    #expect(notifies({ _ = tabs() }) { $0.tabs["y"] = Row(id: 2) })
    #expect((rows().ids, Set(tabs().ids)) == ([1, 2], ["x", "y"]))
    let (row, tab) = (try #require(rows()[id: 1]), try #require(tabs()[id: "y"]))
    row.send(2)
    tab.send(7)
    #expect((row.count, tab.count) == (2, 7))
    store.send(.change { ($0.rows, $0.tabs) = ([], [:]) })
    #expect((row.count, tab.count) == (2, 7))
    #expect(rows()[id: 1] == nil)
  }

  @Test("a part is compared once per action, however many child stores and readers observe it")
  func sharedComparison() {
    let children = (0..<4).map { _ in store.child(state: \.counted, action: Self.ignore) }
    let grandchildren = children.map { $0.child(state: \.magnitude, action: { (_: UInt) in 0 }) }
    func read() {
      for child in children { _ = (child.state, child.magnitude) }
      for grandchild in grandchildren { _ = grandchild.state }
    }
    #expect(!notifies(read) { $0.b += 1 })
    #expect(timesAsked { store.send(.change { $0.b += 1 }) } == 1)
    #expect(notifies(read) { $0.a += 1 })
  }

  @Test("a child store is compared while something observes it, and needn't be retained")
  func unobserved() {
    func child() -> ObservableStore<Int, Int> {
      store.child(state: \.counted, action: Self.ignore)
    }
    func timesCompared() -> Int { timesAsked { store.send(.change { $0.a += 1 }) } }
    _ = child()
    #expect(timesCompared() == 0)
    #expect(notifies({ _ = child().state }) { $0.a += 1 })
    #expect(timesCompared() == 0, "it was notified, and not read since")
    #expect(!notifies({ _ = child().magnitude }) { $0.b += 1 })
    #expect(timesCompared() == 1)
    #expect(store.observedParts.isEmpty)
  }

  @Test("what observes a child that has gone is freed with its store, after a change")
  func freedObserver() throws {
    final class Observer: Sendable {}
    weak var freed: Observer?
    do {
      var row = store.children(state: \.rows, action: Action.row)[id: 1]
      let observer = Observer()
      freed = observer
      withObservationTracking {
        _ = row?.state
      } onChange: {
        _ = observer
      }
      store.send(.change { $0.rows[id: 1] = nil })
      row = nil
    }
    #expect(freed != nil)
    store.send(.change { $0.rows.append(Row(id: 3)) })
    #expect(freed == nil)
  }

  private struct Tag<Value>: Hashable, Sendable {}

  private struct Tagged: Equatable, Sendable {
    struct Part: Equatable, Sendable {
      var number = 0
      var optional: Row?
      var rows: IdentifiedArrayOf<Row> = [Row(id: 1)]
    }

    var parts: [String: Part] = [:]

    subscript<Value>(_ tag: Tag<Value>) -> Part {
      get { parts["\(Value.self)", default: Part()] }
      set { parts["\(Value.self)"] = newValue }
    }
  }

  @Test("parts whose key paths differ in a generic argument are observed separately")
  func genericArguments() throws {
    typealias Change = @Sendable (inout Tagged.Part) -> Void
    let reducer = Reducer<Tagged, Change, Void> { state, change, _ in
      change(&state[Tag<String>()])
      return .none
    }
    let none: @MainActor @Sendable (Int) -> Change = { _ in { _ in } }
    func ignore(_: Int, _: Int) -> Change { { _ in } }
    typealias Store = ObservableStore<Tagged, Change>
    let row = { (rows: ChildStores<Int, Row, Int>) in _ = rows[id: 1]?.state }
    let reads: [((Store) -> Void, (Store) -> Void, Change)] = [
      ({ _ = $0[\.[Tag<Int>()]] }, { _ = $0[\.[Tag<String>()]] }, { $0.number += 1 }),
      (
        { _ = $0.optionalChild(state: \.[Tag<Int>()].optional, action: none) },
        {
          _ = $0.optionalChild(state: \.[Tag<String>()].optional, action: none)
        },
        { $0.optional = Row(id: 1) }
      ),
      (
        { _ = $0.children(state: \.[Tag<Int>()].rows, action: ignore) },
        { _ = $0.children(state: \.[Tag<String>()].rows, action: ignore) },
        { $0.rows = [] }
      ),
      (
        { row($0.children(state: \.[Tag<Int>()].rows, action: ignore)) },
        { row($0.children(state: \.[Tag<String>()].rows, action: ignore)) },
        { $0.rows[id: 1]?.count += 1 }
      ),
      (
        { _ = $0.child(state: \.[Tag<Int>()], action: none).state },
        { _ = $0.child(state: \.[Tag<String>()], action: none).state },
        { $0.number += 1 }
      ),
    ]
    for (number, (other, changed, change)) in reads.enumerated() {
      let store = Store(initialState: Tagged(), reducer: reducer, environment: ())
      let notified = Mutex<[String]>([])
      withObservationTracking {
        other(store)
      } onChange: {
        notified.withLock { $0.append("other") }
      }
      withObservationTracking {
        changed(store)
      } onChange: {
        notified.withLock { $0.append("changed") }
      }
      store.send(change)
      #expect(notified.withLock { $0 } == ["changed"], "read \(number)")
    }
  }

  @Test("a value that is read by many new key paths is compared a limited number of times")
  func newKeyPaths() {
    struct List: Sendable {
      var numbers = [0, 0]
      var reads = Shared(0)

      subscript(position: Int) -> Int {
        get {
          reads.update { $0 += 1 }
          return numbers[position]
        }
        set { numbers[position] = newValue }
      }
    }
    let state = List()
    let store = ObservableStore(
      initialState: state,
      reducer: Reducer<List, Int, Void> { state, number, _ in
        state.numbers[1] += number
        return .none
      }, environment: ())
    func read(_ position: Int) { _ = store[\.[position]] }
    for _ in 0..<200 { read(0) }
    if Allocations.areCounted {
      // Also without an action between them.
      #expect(Allocations { for _ in 0..<5_000 { read(0) } }.remaining < 1_000)
    }
    store.send(1)
    state.reads.update { $0 = 0 }
    store.send(1)
    #expect(state.reads.value <= 50)
    for count in [0, 200] {
      for _ in 0..<count { read(0) }
      let notified = Mutex(false)
      withObservationTracking {
        read(1)
      } onChange: {
        notified.withLock { $0 = true }
      }
      store.send(1)
      #expect(notified.withLock { $0 })
    }
  }

  @Test("children that are read by many new key paths are observed")
  func childrenByNewKeyPaths() {
    struct Lists: Sendable {
      var lists = [IdentifiedArray((0..<2).map { Compared(id: $0) })]

      subscript(position: Int) -> IdentifiedArray<Int, Compared> {
        get { lists[position] }
        set { lists[position] = newValue }
      }
    }
    let store = ObservableStore(
      initialState: Lists(),
      reducer: Reducer<Lists, Int, Void> { state, number, _ in
        state.lists[0][id: 1]?.count += number
        return .none
      }, environment: ())
    let notified = Mutex(0)
    func observe(_ position: Int) {
      let children = store.children(state: \.[position], action: { (_, number: Int) in number })
      let child = children[id: 1]!
      withObservationTracking {
        _ = child.count
      } onChange: {
        notified.withLock { $0 += 1 }
      }
    }
    for _ in 0..<200 { observe(0) }
    store.send(1)
    #expect(notified.withLock { $0 } == 200)
    func observeWhole(_ position: Int) {
      withObservationTracking {
        _ = store.child(state: \.[position], action: { (number: Int) in number }).count
      } onChange: {
        notified.withLock { $0 += 1 }
      }
    }
    for _ in 0..<200 { observeWhole(0) }
    store.send(1)
    #expect(notified.withLock { $0 } == 400)
  }

  @Test(
    "an action compares the rows that it changes", arguments: [0, 1, 2, 3, 1_000])
  func comparedRows(changed: Int) throws {
    let store = ObservableStore(
      initialState: IdentifiedArray((0..<1_000).map { Compared(id: $0) }),
      reducer: Reducer<IdentifiedArray<Int, Compared>, Int, Void> { state, number, _ in
        for position in 0..<number { state[position].count += 1 }
        return .none
      }, environment: ())
    let rows = store.children(state: \.self, action: { (_, number: Int) in number })
    let notified = Mutex(0)
    func observe(_ id: Int) {
      withObservationTracking {
        _ = rows[id: id]?.count
      } onChange: {
        notified.withLock { $0 += 1 }
      }
    }
    for id in rows.ids { observe(id) }
    store.send(1)
    observe(0)
    notified.withLock { $0 = 0 }
    var compared = 0
    Self.whenCompared = { compared += 1 }
    store.send(changed)
    Self.whenCompared = nil
    #expect(compared == changed)
    #expect(notified.withLock { $0 } == changed)
  }

  /// A child whose comparison does something.
  private struct Compared: Equatable, Identifiable, Sendable {
    var id: Int
    var count = 0

    static func == (lhs: Self, rhs: Self) -> Bool {
      MainActor.assumeIsolated { ObservationTests.whenCompared?() }
      return lhs.id == rhs.id && lhs.count == rhs.count
    }
  }

  private static var whenCompared: (() -> Void)?

  @Test("a child that is read during the comparison of another child is observed from then on")
  func readWhileCompared() throws {
    let store = ObservableStore(
      initialState: IdentifiedArray((0..<8).map { Compared(id: $0) }),
      reducer: Reducer<IdentifiedArray<Int, Compared>, Int, Void> { state, number, _ in
        for id in state.ids { state[id: id]?.count = number }
        return .none
      }, environment: ())
    let children = store.children(state: \.self, action: { (_, number: Int) in number })
    let stores = try (0..<8).map { try #require(children[id: $0]) }
    let waiting = Mutex(0)
    func observe(_ store: ObservableStore<Compared, Int>) {
      waiting.withLock { $0 += 1 }
      withObservationTracking {
        _ = store.count
      } onChange: {
        waiting.withLock { $0 -= 1 }
      }
    }
    stores.forEach(observe)
    Self.whenCompared = { stores.forEach(observe) }
    store.send(1)
    Self.whenCompared = nil
    #expect(waiting.withLock { $0 } > 0)
    store.send(2)
    #expect(waiting.withLock { $0 } == 0)
    // An optimized build frees them after their last use.
    withExtendedLifetime(stores) {}
  }

  @Test("a change by an effect is observed")
  func effects() async {
    let isNotified = Mutex(false)
    withObservationTracking {
      _ = store.a
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    await store.send(.later { $0.a += 1 }).finish()
    #expect(isNotified.withLock { $0 })
  }

  @Test("code that is notified of a change reads the new state, also in every child store")
  func newState() {
    let child = store.child(state: \.nested, action: { .change($0) })
    let grandchild = child.child(
      state: \.count, action: { number in { @Sendable in $0.nested.count = number } })
    let seen = Mutex<[Int]>([])
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated {
        let counts = [store.state.nested.count, child.count, grandchild.state]
        seen.withLock { $0 = counts }
      }
    }
    grandchild.send(7)
    #expect(seen.withLock { $0 } == [7, 7, 7])
  }

  @Test("an action sent during a notification waits for its turn")
  func sendingWhileNotified() {
    withObservationTracking {
      _ = store.a
    } onChange: { [store] in
      MainActor.assumeIsolated { _ = store.send(.change { $0.a *= 10 }) }
    }
    store.send(.change { $0.a += 1 })
    #expect(store.a == 10)
  }

  @Test("a property with the name of a store's method is read by its key path")
  func nameOfMethod() {
    struct Parent: Sendable {
      var child = 1
      var children = [2]
    }
    let store = ObservableStore(
      initialState: Parent(), reducer: Reducer<Parent, Int, Void>.empty, environment: ())
    #expect(store[\.child] + store[\.children].count == 2)
  }

  private static func ignore(_: Int) -> Action { .change { _ in } }
  private static func ignore(_: Int) -> Int { 0 }
}
