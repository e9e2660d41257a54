import ComposableReducers
import TestSupport

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

/// What a store promises of actions that wait, and of children that go.
extension StoreLaw {
  private struct Child: Equatable, Identifiable, Sendable {
    let id: Int
    var children: IdentifiedArray<Int, Child> = []
  }

  private struct Family: Equatable, Sendable {
    var children: IdentifiedArray<Int, Child> = [
      Child(id: 1, children: [Child(id: 1)]), Child(id: 2),
    ]
    var notes: [String] = []
  }

  private indirect enum ChildAction: Equatable, Sendable {
    case work(String)
    case note(String)
    case child(Int, ChildAction)
  }

  private enum FamilyAction: Equatable, Sendable {
    case child(Int, ChildAction)
    case remove(Int)
    case removeChildren(of: Int)
  }

  private static let worker = Reducer<Child, ChildAction, Void> { _, action, _ in
    guard case .work(let name) = action else { return .none }
    return .run { send in
      try? await sleep(.seconds(1))
      await send(.note(name))
    }
  }

  private static let child = Reducer<Child, ChildAction, Void>.combine(
    worker.forEach(
      state: \.children,
      action: CasePath(ChildAction.child) {
        if case .child(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }), worker)

  private static let family = Reducer<Family, FamilyAction, Void>.combine(
    child.forEach(
      state: \.children,
      action: CasePath(FamilyAction.child) {
        if case .child(let id, let action) = $0 { (id, action) } else { nil }
      }, environment: { $0 }),
    Reducer { state, action, _ in
      switch action {
      case .child(_, .note(let name)), .child(_, .child(_, .note(let name))):
        state.notes.append(name)
      case .child: break
      case .remove(let id): state.children.remove(id: id)
      case .removeChildren(let id): state.children[id: id]?.children.removeAll()
      }
      return .none
    })

  /// Expects some notes, in any order, of what was not removed.
  private static func expect(
    _ notes: Set<String>, after actions: FamilyAction...
  ) async throws {
    let store = TestStore(initialState: Family(), reducer: family, environment: ())
    store.exhaustivity = .off
    for action in actions { await store.send(action) }
    await store.finish()
    await store.skipReceivedActions()
    try require(Set(store.state.notes) == notes, "\(store.state.notes) instead of \(notes)")
    try require(store.state.notes.count == notes.count, "\(store.state.notes)")
  }

  static let endsWithChild = StoreLaw(fault: "store-effects-outlive-their-child") {
    try await expect(
      ["2"], after: .child(1, .work("1")), .child(2, .work("2")), .remove(1))
  }

  static let endsWithGrandchild = StoreLaw(fault: "store-effects-of-grandchildren-outlive-them") {
    try await expect(
      ["1", "2"], after: .child(1, .child(1, .work("1.1"))), .child(1, .work("1")),
      .child(2, .work("2")), .removeChildren(of: 1))
  }

  static let sparesOtherChild = StoreLaw(fault: "store-effects-end-with-another-child") {
    try await expect(
      ["1"], after: .child(1, .work("1")), .child(2, .work("2")), .remove(2))
  }

  static let ignoresLate = StoreLaw(fault: "store-action-is-heard-after-the-cancellation") {
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      if action != "start" { state.append(action) }
      switch action {
      case "start":
        return .merge(
          Effect.run { send in
            try? await sleep(.seconds(1))
            await send("note")
          }.cancellable(id: "noting"),
          .run { send in
            try await sleep(.seconds(1))
            await send("stop")
          })
      case "stop": return .cancel(id: "noting")
      default: return .none
      }
    }
    let store = TestStore(initialState: [], reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send("start")
    await store.finish()
    await store.skipReceivedActions()
    try require(store.state.last == "stop", "\(store.state)")
  }

  static let ignoresWaiting = StoreLaw(
    fault: "store-waiting-action-is-heard-after-the-cancellation"
  ) {
    let reducer = Reducer<[String], Int, Void> { state, action, _ in
      state.append("\(action)")
      switch action {
      case 0: return Effect.merge(.send(1), .send(2)).cancellable(id: "both")
      case 1: return .cancel(id: "both")
      default: return .none
      }
    }
    let store = TestStore(initialState: [], reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(0)
    await store.finish()
    await store.skipReceivedActions()
    try require(store.state == ["0", "1"], "\(store.state)")
  }
}
