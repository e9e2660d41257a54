import ComposableReducers
import SwiftUI
import Synchronization
import Testing

private nonisolated struct Profile: Equatable, Identifiable {
  var id = 1
  var name = ""
  var visits = 0
}

private nonisolated struct App: Equatable {
  var text = ""
  var other = 0
  var profile: Profile?
  var rows: IdentifiedArrayOf<Profile> = [Profile(id: 1), Profile(id: 2)]
  var closure: @Sendable () -> Int = { 0 }

  static func == (lhs: App, rhs: App) -> Bool { lhs.text == rhs.text && lhs.other == rhs.other }
}

private nonisolated enum ProfileAction: BindableAction {
  case binding(BindingAction<Profile>)
}

private nonisolated enum Action {
  case typed(String)
  case closureSet(@Sendable () -> Int)
  case change(@Sendable (inout App) -> Void)
  case profile(ProfileAction)
  case row(Int, ProfileAction)
  case dismissed
}

private nonisolated let profile = Reducer<Profile, ProfileAction, Void>.empty.binding(
  action: CasePath(ProfileAction.binding) {
    if case .binding(let action) = $0 { action } else { nil }
  })

private nonisolated let app = Reducer<App, Action, Void>.combine(
  profile.optional().pullback(
    state: \.profile,
    action: CasePath(Action.profile) {
      if case .profile(let action) = $0 { action } else { nil }
    }, environment: { $0 }),
  profile.forEach(
    state: \.rows,
    action: CasePath(Action.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }, environment: { $0 }),
  Reducer { state, action, _ in
    switch action {
    case .typed(let text): state.text = text
    case .closureSet(let closure): state.closure = closure
    case .change(let change): change(&state)
    case .dismissed:
      state.profile = nil
      dismissals.withLock { $0 += 1 }
    case .profile, .row: break
    }
    return .none
  })

private nonisolated let dismissals = Mutex(0)

@Suite("SwiftUI bindings of a store", .serialized)
@MainActor
struct BindingTests {
  private let store = ObservableStore(initialState: App(), reducer: app, environment: ())

  private func notifies(
    _ read: () -> Void, of change: @escaping @Sendable (inout App) -> Void
  ) -> Bool {
    let isNotified = Mutex(false)
    withObservationTracking(read) {
      isNotified.withLock { $0 = true }
    }
    store.send(.change(change))
    return isNotified.withLock { $0 }
  }

  @Test("a binding sends its action, and notifies of changes of its value only")
  func byKeyPath() {
    let text: Binding<String> = store.binding(\.text, send: Action.typed)
    #expect(!notifies({ _ = text.wrappedValue }) { $0.other += 1 })
    #expect(!notifies({ _ = text.wrappedValue }) { _ in })
    #expect(notifies({ _ = text.wrappedValue }) { $0.text = "a" })
    #expect(notifies({ _ = store.binding(\.text, send: Action.typed) }) { $0.text = "b" })
    text.wrappedValue = "c"
    #expect((text.wrappedValue, store.text) == ("c", "c"))
  }

  @Test("a binding of a value that isn't Equatable notifies after each action")
  func withoutComparison() {
    let closure = store.binding(\.closure, send: Action.closureSet)
    #expect(notifies({ _ = closure.wrappedValue }) { _ in })
    closure.wrappedValue = { 7 }
    #expect(store.closure() == 7)
  }

  @Test(
    "a row's binding sends a binding action, and notifies of changes of that row's property only")
  func bindableRow() throws {
    let rows = store.children(state: \.rows, action: Action.row)
    let (row, other) = (try #require(rows[id: 1]), try #require(rows[id: 2]))
    let name: Binding<String> = row.binding(\.name)
    #expect(!notifies({ _ = name.wrappedValue }) { $0.rows[id: 2]?.name = "b" })
    #expect(!notifies({ _ = name.wrappedValue }) { $0.rows[id: 1]?.visits = 7 })
    #expect(notifies({ _ = name.wrappedValue }) { $0.rows[id: 1]?.name = "a" })
    name.wrappedValue = "c"
    #expect((store.rows[id: 1]?.name, other.name) == ("c", "b"))
  }

  @Test("a Boolean binding notifies when the part appears and disappears, and dismisses it once")
  func isPresent() {
    let isPresent: Binding<Bool> = store.binding(isPresent: \.profile, dismiss: .dismissed)
    #expect(notifies({ _ = isPresent.wrappedValue }) { $0.profile = Profile() })
    #expect(!notifies({ _ = isPresent.wrappedValue }) { $0.profile?.visits = 1 })
    isPresent.wrappedValue = true
    #expect(isPresent.wrappedValue && store.profile?.visits == 1)
    dismissals.withLock { $0 = 0 }
    isPresent.wrappedValue = false
    #expect(!isPresent.wrappedValue && store.profile == nil)
    isPresent.wrappedValue = false
    #expect(dismissals.withLock { $0 } == 1)
  }

  @Test(
    "a child's binding notifies when it appears, disappears and changes its id, and dismisses it")
  func child() throws {
    let child = store.binding(child: \.profile, action: Action.profile, dismiss: .dismissed)
    #expect(child.wrappedValue == nil)
    #expect(notifies({ _ = child.wrappedValue }) { $0.profile = Profile() })
    #expect(!notifies({ _ = child.wrappedValue }) { $0.profile?.visits = 1 })
    #expect(notifies({ _ = child.wrappedValue }) { $0.profile?.id = 2 })
    let sheet = try #require(child.wrappedValue)
    #expect(sheet.id == 2)
    sheet.send(.set(\.name, "a"))
    #expect((sheet.name, store.profile?.name) == ("a", "a"))
    child.wrappedValue = sheet
    #expect(store.profile?.name == "a")
    dismissals.withLock { $0 = 0 }
    #expect(notifies({ _ = child.wrappedValue }) { $0.profile = nil })
    child.wrappedValue = nil
    #expect(dismissals.withLock { $0 } == 0)
    #expect((sheet.name, sheet.id) == ("a", 2))
    store.send(.change { $0.profile = Profile(id: 3) })
    child.wrappedValue = nil
    #expect(store.profile == nil && dismissals.withLock { $0 } == 1)
  }

  @Test("a text field that writes after its sheet has gone is ignored silently")
  func gone() throws {
    store.send(.change { $0.profile = Profile() })
    let sheet = try #require(store.optionalChild(state: \.profile, action: Action.profile))
    let name: Binding<String> = sheet.binding(\.name)
    let row: Binding<String> = try #require(
      store.children(state: \.rows, action: Action.row)[id: 1]
    ).binding(\.name)
    store.send(.change { ($0.profile, $0.rows) = (nil, []) })
    let reported = Mutex(0)
    let handler = DependencyIssue.replaceHandler { _ in reported.withLock { $0 += 1 } }
    defer { DependencyIssue.replaceHandler(handler) }
    name.wrappedValue = "late"
    row.wrappedValue = "late"
    #expect(reported.withLock { $0 } == 0)
    #expect(store.profile == nil && store.rows.isEmpty)
  }

  @Test("an array moves and removes elements in a file that imports SwiftUI")
  func offsets() {
    var rows: IdentifiedArrayOf = [Profile(id: 1), Profile(id: 2), Profile(id: 3)]
    rows.move(fromOffsets: [0], toOffset: 3)
    #expect(rows.ids == [2, 3, 1])
    rows.remove(atOffsets: IndexSet([0, 2]))
    #expect(rows.ids == [3])
  }
}
