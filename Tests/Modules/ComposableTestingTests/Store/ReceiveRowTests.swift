import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@Suite("A test store receives the action of a row")
struct ReceiveRowTests {
  private struct Row: Equatable, Identifiable {
    let id: Int
    var number = 0
  }

  private enum RowAction: Sendable {
    case tapped
    case loaded(Int)
    case failed(any Error)
  }

  private struct List: Equatable {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
  }

  private enum ListAction: Sendable {
    case row(id: Int, action: RowAction)
  }

  private struct Failure: Error {}

  private static let path = CasePath(ListAction.row(id:action:)) {
    if case .row(let id, let action) = $0 { (id, action) } else { nil }
  }
  private let row = path
  private let loaded = CasePath(RowAction.loaded) {
    if case .loaded(let number) = $0 { number } else { nil }
  }
  private let failed = CasePath(RowAction.failed) {
    if case .failed(let error) = $0 { error } else { nil }
  }

  private static let rowReducer = Reducer<Row, RowAction, Void> { state, action, _ in
    switch action {
    case .tapped:
      let id = state.id
      return .run { send in
        if id == 2 { throw Failure() }
        await send(.loaded(7))
      } catch: { error, send in
        await send(.failed(error))
      }
    case .loaded(let number): state.number = number
    case .failed: state.number = -1
    }
    return .none
  }

  private let store = TestStore(
    initialState: List(),
    reducer: rowReducer.forEach(
      state: \List.rows, action: path, environment: { (_: Void) in }),
    environment: ())

  @Test("by the case and the row's id, with or without the payload")
  func received() async {
    await store.send(.row(id: 1, action: .tapped))
    await store.receive(row[id: 1].appending(path: loaded), 7) {
      $0.rows[id: 1]?.number = 7
    }
    await store.send(.row(id: 2, action: .tapped))
    await store.receive(row[id: 2].appending(path: failed)) {
      $0.rows[id: 2]?.number = -1
    }
    await store.finish()
  }

  @Test("and fails for the action of another row, naming the expected id and what came")
  func otherRow() async {
    store.exhaustivity = .off
    await store.send(.row(id: 1, action: .tapped))
    store.exhaustivity = .on
    let messages = await failures {
      await store.receive(row[id: 2])
      await store.receive(row[id: 2].appending(path: loaded), 7)
    }.map(\.message)
    #expect(
      messages.first?.contains(
        """
        Expected to receive an action with RowAction of the row 2, but the store received \
        .row(id: 1, action: .loaded(7)).
        """) == true)
    #expect(
      messages.last?.contains(
        "Expected to receive .row(id: 2, action: .loaded(7)), but the store didn't.") == true)
    await store.finish()
  }
}
