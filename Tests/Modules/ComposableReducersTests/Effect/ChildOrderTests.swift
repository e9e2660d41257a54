import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Effects of children that go together")
struct ChildOrderTests {
  private struct Row: Equatable, Identifiable, Sendable {
    let id: Int
  }

  private enum Action: Sendable {
    case row(Int, Start)
    case entry(Int, Start)
    case clear
  }

  private struct Start: Sendable {
    let name: String
    let started: Gate
  }

  private struct Lists: Sendable {
    var rows = IdentifiedArray(uniqueElements: (0..<10).map { Row(id: $0) })
    var entries = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, Row(id: $0)) })
  }

  private final class Order: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test("end in the order in which they were started, whichever child and list they belong to")
  func order() async {
    let order = Order()
    let row = Reducer<Row, Start, Void> { _, start, _ in
      .run { _ in
        await withTaskCancellationHandler {
          start.started.open()
          try? await Task.sleep(for: .seconds(1_000_000))
        } onCancel: {
          order.names.withLock { $0.append(start.name) }
        }
      }
    }
    let store = Store(
      initialState: Lists(),
      reducer: Reducer<Lists, Action, Void>.combine(
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
          if case .clear = action {
            state.rows.removeAll()
            state.entries.removeAll()
          }
          return .none
        }),
      environment: ())
    let ids = [5, 3, 9, 1, 7, 2, 8, 3, 0]
    var tasks: [StoreTask] = []
    for id in ids {
      for action in [{ Action.row(id, $0) }, { Action.entry(id, $0) }] {
        let start = Start(name: "\(tasks.count)", started: Gate())
        tasks.append(await store.send(action(start)))
        await start.started.wait()
      }
    }
    await store.send(.clear)
    for task in tasks { await task.finish() }
    #expect(order.names.withLock { $0 } == tasks.indices.map { "\($0)" })
  }
}
