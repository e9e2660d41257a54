import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Reducer")
struct ReducerTests {
  private typealias Log = Reducer<[String], String, Void>

  @Test("combined reducers run in order, and all of their effects run")
  func combine() async {
    func reducer(_ name: String) -> Log {
      Log { state, action, _ in
        state.append(name + action)
        return action == "!" ? .send("?") : .none
      }
    }
    let store = Store(
      initialState: [], reducer: .combine(reducer("a"), .empty, reducer("b")), environment: ())
    await store.send("!").finish()
    #expect(await store.state == ["a!", "b!", "a?", "b?", "a?", "b?"])
  }

  @Test("a pullback reduces the child's state in place, and maps its effects' actions")
  func pullback() async {
    let store = Store(initialState: Family(), reducer: familyReducer, environment: ())
    await store.send(.first(.add(5))).finish()
    await store.send(.second(.addTwice(7))).finish()
    await store.send(.unrelated).finish()
    #expect(await store.state == Family(first: Child(count: 5), second: Child(count: 14)))
  }

  @Test("a pullback to a case reduces its state while it is current")
  func pullbackToCase() async {
    let store = Store(
      initialState: Screen.child(Child(count: 1)), reducer: screenReducer, environment: ())
    await store.send(.child(.addTwice(2))).finish()
    #expect(await store.state == .child(Child(count: 5)))
    await store.send(.close)
    #expect(await store.state == .closed)
  }

  @Test("an action for another case changes nothing and is reported")
  func missingCase() async {
    let store = Store(initialState: Screen.closed, reducer: screenReducer, environment: ())
    let reported = await issues { await store.send(.child(.add(1))).finish() }
    #expect(await store.state == .closed)
    #expect(reported.map(\.line) == [screenReducerLine])
    #expect(reported.map(\.fileID) == [#fileID])
    #expect(reported.first?.problem.contains("add(1)") == true)
  }

  @Test(
    "an optional reducer runs while its state exists, and otherwise reports actions")
  func optional() async {
    let line: UInt = #line + 1
    let optional = childReducer.optional()
    let store = Store(initialState: Child(), reducer: optional, environment: ())
    await store.send(.addTwice(2)).finish()
    #expect(await store.state == Child(count: 4))
    let empty = Store(initialState: nil, reducer: optional, environment: ())
    let reported = await issues { await empty.send(.add(1)).finish() }
    #expect(await empty.state == nil)
    #expect(reported.map(\.line) == [line])
  }

  @Test("forEach reduces an action's element, in an array and in a dictionary")
  func forEach() async {
    let store = Store(initialState: Lists(), reducer: listsReducer, environment: ())
    await store.send(.row(2, .addTwice(5))).finish()
    await store.send(.entry("b", .addTwice(7))).finish()
    let state = await store.state
    #expect(state.rows.map(\.child.count) == [0, 10, 0])
    #expect(state.entries == ["a": Child(), "b": Child(count: 14)])
  }

  @Test("an action for a missing element changes nothing and is reported")
  func missingElement() async {
    let store = Store(initialState: Lists(), reducer: listsReducer, environment: ())
    let reported = await issues {
      await store.send(.row(9, .add(1))).finish()
      await store.send(.entry("z", .add(1))).finish()
    }
    #expect(await store.state == Lists())
    #expect(reported.map(\.line) == [listsReducerLine + 1, listsReducerLine + 7])
    #expect(reported.first?.problem.contains("no element 9") == true)
  }

  @Test("reducing one of many elements copies none of them")
  func elementsAreReducedInPlace() {
    struct Element: Identifiable, Sendable {
      let id: Int
      var numbers = [0]
    }
    struct Elements: Sendable {
      var array = IdentifiedArray<Int, Element>(uniqueElements: (0..<100).map { Element(id: $0) })
      var dictionary = [0: Element(id: 0)]
    }
    let element = Reducer<Element, Int, Void> { state, action, _ in
      state.numbers[0] += action
      return .none
    }
    let action = CasePath<Int, (Int, Int)>(embed: { $1 }, extract: { (0, $0) })
    let reducer = Reducer<Elements, Int, Void>.combine(
      element.forEach(state: \.array, action: action, environment: { $0 }),
      element.forEach(state: \.dictionary, action: action, environment: { $0 }))
    var elements = Elements()
    func addresses() -> [UInt?] {
      [
        elements.array.first?.numbers, elements.array.last?.numbers,
        elements.dictionary[0]?.numbers,
      ].map { unsafe $0?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    }
    let context = ReducerContext(place: ReducerPlace(), scope: .root)
    _ = reducer.reduce(&elements, 0, (), context)  // copies what is in the binary
    let before = addresses()
    for number in 1...10 { _ = reducer.reduce(&elements, number, (), context) }
    #expect(elements.array[id: 0]?.numbers == [55])
    #expect(elements.dictionary[0]?.numbers == [55])
    #expect(addresses() == before)
  }
}

// MARK: - Features

private struct Child: Equatable, Sendable {
  var count = 0
}

private enum ChildAction: Sendable {
  case add(Int)
  case addTwice(Int)
}

private let childReducer = Reducer<Child, ChildAction, Void> { state, action, _ in
  switch action {
  case .add(let number):
    state.count += number
    return .none
  case .addTwice(let number):
    state.count += number
    return .run { send in
      await Task.yield()
      await send(.add(number))
    }
  }
}

private struct Family: Equatable, Sendable {
  var first = Child()
  var second = Child()
}

private enum FamilyAction: Sendable {
  case first(ChildAction)
  case second(ChildAction)
  case unrelated
}

private let familyReducer = Reducer<Family, FamilyAction, Void>.combine(
  childReducer.pullback(
    state: \.first,
    action: CasePath(FamilyAction.first) {
      if case .first(let action) = $0 { action } else { nil }
    }, environment: { $0 }),
  childReducer.pullback(
    state: \.second,
    action: CasePath(FamilyAction.second) {
      if case .second(let action) = $0 { action } else { nil }
    }, environment: { $0 }))

private enum Screen: Equatable, Sendable {
  case child(Child)
  case closed
}

private enum ScreenAction: Sendable {
  case child(ChildAction)
  case close
}

private let screenReducerLine: UInt = #line + 2
private let screenReducer = Reducer<Screen, ScreenAction, Void>.combine(
  childReducer.pullback(
    state: CasePath(Screen.child) { if case .child(let state) = $0 { state } else { nil } },
    action: CasePath(ScreenAction.child) {
      if case .child(let action) = $0 { action } else { nil }
    }, environment: { $0 }),
  Reducer { state, action, _ in
    if case .close = action { state = .closed }
    return .none
  })

private struct Item: Identifiable, Equatable, Sendable {
  let id: Int
  var child = Child()
}

private struct Lists: Equatable, Sendable {
  var rows = IdentifiedArray<Int, Item>(uniqueElements: (1...3).map { Item(id: $0) })
  var entries = ["a": Child(), "b": Child()]
}

private enum ListsAction: Sendable {
  case row(Int, ChildAction)
  case entry(String, ChildAction)
}

private let itemReducer = childReducer.pullback(
  state: \Item.child, action: .identity, environment: { $0 })

private let listsReducerLine: UInt = #line + 1
private let listsReducer = Reducer<Lists, ListsAction, Void>.combine(
  itemReducer.forEach(
    state: \.rows,
    action: CasePath(ListsAction.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    },
    environment: { $0 }),
  childReducer.forEach(
    state: \.entries,
    action: CasePath(ListsAction.entry) {
      if case .entry(let id, let action) = $0 { (id, action) } else { nil }
    }, environment: { $0 }))
