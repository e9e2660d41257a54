import ComposableTesting
import Foundation
import Testing

struct ProfileEnvironment: Sendable {}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

// block: struct Profile: Equatable {

@MainActor
private func example(_ store: ObservableStore<Profile, ProfileAction>) {
  // block: store.send(.set(
  // block: store.send(.binding(
}

private func example(_ store: TestStore<Profile, ProfileAction>) async {
  // block: await store.send(.set(
}

private func example(_ action: ProfileAction) {
  switch action {  // block: case .binding(\.name)
  default: break
  }
}

private enum ID { case search }

private enum PageAction: Sendable {
  case queryChanged(String)
  case found([String])
}

private struct PageEnvironment: Sendable {
  let clock: any Clock<Duration>
}

private let page = Reducer<Int, PageAction, PageEnvironment> { _, action, environment in
  switch action {  // block: case .queryChanged(let query)
  case .found: return .none
  }
}

private func search(_ query: String) -> Effect<PageAction> { .send(.found([query])) }

private enum MapAction: Sendable {
  case moved(Double)
  case failed(String)
}

private struct MapEnvironment: Sendable {
  func locations() -> AsyncThrowingStream<Double, any Error> { AsyncThrowingStream { 1 } }
}

private func example(_ environment: MapEnvironment) -> Effect<MapAction> {
  // block: return .run { send in
}

private struct File: Sendable {
  var id = 0
  func load() async -> String { "" }
  func download() async throws -> String { "" }
}

private enum FileAction: Sendable {
  case started
  case loaded(String)
}

private func example(_ files: [File]) -> Effect<FileAction> {
  // block: .run { send in
}

private func download(_ files: [File]) -> Effect<FileAction> {
  // block: .run { send in
}

struct Counter: Sendable, Equatable, Identifiable {
  var id = 0
  var isLoading = false
  var number = 0
  var count = 0
}

enum CounterAction: Sendable, Equatable {
  case tapped
  case loaded(Int)
}

struct Numbers: Sendable {
  static func constant(_ number: Int) -> Numbers { Numbers() }
  func next() async -> Int { 1 }
}

private enum NumbersKey: DependencyKey {
  static let defaultValue = Numbers()
}

extension Dependencies {
  var numbers: Numbers {
    get { self[NumbersKey.self] }
    set { self[NumbersKey.self] = newValue }
  }
}

struct CounterEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.numbers) var numbers
}

// block: let counter = Reducer<

private struct Client: Sendable {
  func save(_ theme: Int) async {}
}

private struct SettingsEnvironment: Sendable {
  let client: Client
}

private struct SettingsState {
  var theme = 0
}

private func example(_ settingsReducer: Reducer<SettingsState, Int, SettingsEnvironment>) {
  // block: let settings = settingsReducer
  _ = settings
}

private struct App: Sendable {}
private typealias AppEnvironment = CounterEnvironment

private func example(_ app: Reducer<App, AppAction, AppEnvironment>) {
  // block: let store = Store(
  _ = store
}

private struct Folder: Sendable, Identifiable {
  let id: Int
  var folders: IdentifiedArrayOf<Folder> = []
}

private enum FolderAction: Sendable {
  case queryChanged(String)
  indirect case folder(Int, FolderAction)

  static let toFolder = CasePath(FolderAction.folder) {
    if case .folder(let id, let action) = $0 { (id, action) } else { nil }
  }
}

private typealias FolderEnvironment = CounterEnvironment

private struct Page: Sendable, Equatable {
  var title = ""
  var profile = Profile()
}

@MainActor
private func example(_ store: ObservableStore<Page, AppAction>) -> String {
  // block: store[\.profile.name]
}

private func render(_ page: Page) {}
private func render(_ title: String) {}

private func example(_ store: Store<Page, AppAction>) async {
  // block: for await state in
  // block: for await title in
  // block: await store.send(.refresh)
}

#if canImport(SwiftUI)
  import SwiftUI

  // block: struct CounterView: View {

  extension ProfileAction {
    fileprivate static func nameTyped(_ name: String) -> ProfileAction { .set(\.name, name) }
  }

  extension Profile: Identifiable {
    var id: String { name }
  }

  private struct ProfileView: View {
    let store: ObservableStore<Profile, ProfileAction>

    var body: some View {
      // block: TextField(
      // block: Toggle(
    }
  }

  private typealias RowView = ProfileView

  private struct AppState: Sendable, Equatable {
    var profile: Profile?
    var question: String?
    var rows: [Int: Profile] = [:]
  }

  private struct AppView: View {
    let store: ObservableStore<AppState, AppAction>

    var body: some View {
      // block: if let profile = store.optionalChild(
      // block: let rows =
      Text("")  // block: .alert(
      Text("")  // block: .sheet(
    }
  }
#endif
