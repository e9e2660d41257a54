import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Reducer")
struct ReducerTests {
  @Test("combined reducers run in order, and all of their effects run")
  func combine() async {
    func reducer(_ name: String) -> Reducer<[String], String, Void> {
      Reducer { state, action, _ in
        state.append(name + action)
        return action == "!" ? .send("?") : .none
      }
    }
    let store = Store(
      initialState: [], reducer: .combine(reducer("a"), .empty, reducer("b")), environment: ())
    await store.send("!").finish()
    #expect(await store.state == ["a!", "b!", "a?", "b?", "a?", "b?"])
  }

  private struct Row: Equatable, Identifiable, Sendable {
    let id: Int
    var numbers = [0]
  }

  private enum Screen: Equatable, Sendable {
    case row(Row)
    case closed

    static let toRow = CasePath(Screen.row) { if case .row(let row) = $0 { row } else { nil } }
  }

  private static let row = Reducer<Row, Int, Void> { state, number, _ in
    state.numbers[0] += number
    return .none
  }

  /// The actions with one number, as those of the child 0.
  private func element(_ number: Int) -> CasePath<Int, (Int, Int)> {
    CasePath(embed: { $1 }, extract: { $0 == number ? (0, $0) : nil })
  }

  @Test("an action for a missing child changes nothing, and is reported with a reason and a place")
  func missingChildren() async {
    struct Parent: Equatable, Sendable {
      var optional: Row?
      var screen = Screen.closed
      var rows: IdentifiedArray<Int, Row> = [Row(id: 1)]
      var entries = [1: Row(id: 1)]
    }
    func only(_ number: Int) -> CasePath<Int, Int> {
      CasePath(embed: { $0 }, extract: { $0 == number ? $0 : nil })
    }
    let reducer = Reducer<Parent, Int, Void>.combine(
      Self.row.optional(line: 1).pullback(
        state: \.optional, action: only(1), environment: { $0 }),
      Self.row.pullback(
        state: Screen.toRow, action: .identity, environment: { $0 }, line: 2
      ).pullback(state: \.screen, action: only(2), environment: { $0 }),
      Self.row.forEach(state: \.rows, action: element(3), environment: { $0 }, line: 3),
      Self.row.forEach(state: \.entries, action: element(4), environment: { $0 }, line: 4))
    let store = Store(initialState: Parent(), reducer: reducer, environment: ())
    let reported = await issues { for number in 1...4 { await store.send(number) } }
    #expect(await store.state == Parent())
    #expect(reported.map(\.line) == [1, 2, 3, 4])
    let reasons = [
      "its Row is `nil`", "the state isn't in the case of Row", "there's no element 0",
      "there's no element 0",
    ]
    for (number, (issue, reason)) in zip(reported, reasons).enumerated() {
      #expect(issue.fileID == #fileID)
      #expect(issue.problem.hasPrefix("The action \(number + 1) is ignored"))
      #expect(issue.problem.hasSuffix("\(reason)."))
    }
  }

  @Test("the state of a store, of a property and of each element is changed in place")
  func inPlace() {
    struct Parent: Sendable {
      var numbers = Array(repeating: 0, count: 10_000)
      var property = Row(id: 0)
      var rows = IdentifiedArray<Int, Row>((0..<100).map { Row(id: $0) })
      var entries = [0: Row(id: 0)]
    }
    let reducer = Reducer<Parent, Int, Void>.combine(
      Self.row.pullback(state: \.property, action: .identity, environment: { $0 }),
      Self.row.forEach(state: \.rows, action: element(1), environment: { $0 }),
      Self.row.forEach(state: \.entries, action: element(1), environment: { $0 }),
      Reducer { state, number, _ in
        state.numbers[0] += number
        return .none
      })
    let core = StoreCore(initialState: Parent(), reducer: reducer, environment: ())
    func arrays() -> [[Int]?] {
      let state = core.state
      return [
        state.numbers, state.property.numbers, state.rows[id: 0]?.numbers,
        state.rows.last?.numbers, state.entries[0]?.numbers,
      ]
    }
    func addresses() -> [UInt?] {
      arrays().map { unsafe $0?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    }
    _ = core.receive(1) { _ in }  // copies what is in the binary
    let before = addresses()
    for _ in 0..<10 { _ = core.receive(1) { _ in } }
    #expect(addresses() == before)
    #expect(arrays().map { $0?.first } == [11, 11, 11, 0, 11])
  }
}
