// Compiled against stand-ins for SwiftUI and UIKit, with main-actor default isolation and without.

import ComposableTesting
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private nonisolated enum RetryLimitKey: DependencyKey {
  static let defaultValue = 3
}

nonisolated extension Dependencies {
  var retryLimit: Int {
    get { self[RetryLimitKey.self] }
    set { self[RetryLimitKey.self] = newValue }
  }
}

nonisolated struct TodosEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.uuid) var uuid
}

nonisolated let todosReducer = Reducer<Todos, TodosAction, TodosEnvironment>.combine(
  todoReducer.forEach(
    state: \.items,
    action: CasePath(TodosAction.item) {
      if case .item(let id, let action) = $0 { (id, action) } else { nil }
    }),
  todoReducer.optional().pullback(
    state: \.draft,
    action: CasePath(TodosAction.draft) {
      if case .draft(let action) = $0 { action } else { nil }
    }),
  Reducer { todos, action, environment in
    switch action {
    case .addTapped:
      todos.draft = Todo(id: environment.uuid())
    case .draftSaved:
      if let draft = todos.draft { todos.items.append(draft) }
      todos.draft = nil
    case .draftDismissed:
      todos.draft = nil
    case .item, .draft:
      break
    }
    return .none
  }
)

private nonisolated let reports = Mutex<[[Int]]>([])
private nonisolated func report(_ numbers: Int...) { reports.withLock { $0.append(numbers) } }
private nonisolated func store(_ file: URL) { report(DependencyScope.current.retryLimit) }

private struct SaveAlert: View {
  let store: ObservableStore<Todos, TodosAction>

  var body: some View {
    Text("")
      .alert(
        "Save the draft?", isPresented: store.binding(isPresent: \.draft, dismiss: .draftDismissed)
      ) {
        Button("Save") { store.send(.draftSaved) }
      }
  }
}

private nonisolated func load(_ url: URL, in session: URLSession) -> URLSessionDataTask {
  session.dataTask(
    with: url,
    completionHandler: DependencyScope.current.bind { data, response, error in
      report(data?.count ?? 0, DependencyScope.current.retryLimit)
    })
}

@MainActor
@Observable
private final class LibraryModel {
  let scope = DependencyScope.current
  private(set) var download: DownloadModel?

  func startDownload() {
    download = scope.run { DownloadModel() }
  }
}

/// Whether a body, or what else a closure reads, is invalidated by something.
@MainActor
private func invalidates(_ read: () -> Void, _ operation: () -> Void) -> Bool {
  let isInvalid = Mutex(false)
  withObservationTracking(read) {
    isInvalid.withLock { $0 = true }
  }
  operation()
  return isInvalid.withLock { $0 }
}

@Suite("The views of User interfaces and callbacks")
@MainActor
private struct ViewTests {
  private let store = withDependencies {
    $0.uuid = .incrementing
  } operation: {
    ObservableStore(
      initialState: Todos(), reducer: todosReducer, environment: TodosEnvironment())
  }

  /// Adds a to-do, and returns its row's store.
  private func add(_ title: String) throws -> ObservableStore<Todo, TodoAction> {
    store.send(.addTapped)
    store.send(.draft(.set(\.title, title)))
    store.send(.draftSaved)
    let items = store.children(state: \.items, action: TodosAction.item)
    return try #require(items.ids.last.flatMap { items[id: $0] })
  }

  @Test("a counter's body is updated by each change")
  func counter() {
    let store = ObservableStore(
      initialState: Counter.State(), reducer: Counter.reducer, environment: Counter.Environment())
    let view = CounterView(store: store)
    #expect(invalidates({ _ = view.body }) { store.send(.incremented) })
    #expect(store.count == 1)
  }

  @Test("a row is updated by its own changes only, and its list by none of them")
  func rows() throws {
    let (row, other) = (try add("Milk"), try add("Tea"))
    let change = { _ = row.send(.set(\.isDone, !row.isDone)) }
    #expect(invalidates({ _ = TodoForm(store: row).body }, change))
    #expect(!invalidates({ _ = TodoForm(store: other).body }, change))
    #expect(!invalidates({ _ = TodoList(store: store).body }, change))
    #expect(!invalidates({ _ = TodosView(store: store).body }, change))
    // Sets what is already there.
    #expect(
      !invalidates({ _ = TodoForm(store: row).body }) { row.send(.set(\.isDone, row.isDone)) })
    #expect(invalidates({ _ = TodoList(store: store).body }) { _ = try? add("Rice") })
  }

  @Test("a sheet's and an alert's view are updated when the draft appears and disappears")
  func sheet() throws {
    let bodies = [
      { _ = TodosView(store: self.store).body }, { _ = SaveAlert(store: self.store).body },
    ]
    for body in bodies {
      #expect(invalidates(body) { store.send(.addTapped) })
      #expect(!invalidates(body) { store.send(.draft(.set(\.title, "Milk"))) })
      #expect(invalidates(body) { store.send(.draftDismissed) })
      #expect(!invalidates(body) { store.send(.draftDismissed) })
    }
  }

  @Test("a store reads the overrides that it was created with, when a view sends an action later")
  func overrides() {
    store.send(.addTapped)
    #expect(store.draft?.id == UUID(0))
  }

  @Test("a view controller shows what an action changes")
  func viewController() throws {
    let store = ObservableStore(
      initialState: Counter.State(), reducer: Counter.reducer, environment: Counter.Environment())
    let controller = CounterViewController(nibName: nil, bundle: nil)
    controller.store = store
    #expect(invalidates({ controller.viewWillLayoutSubviews() }) { store.send(.incremented) })
    controller.viewWillLayoutSubviews()
    #expect(controller.label.text == "1")
  }
}

/// Notes what is saved, and when it closes.
nonisolated final class Database: Sendable {
  let log = Mutex<[String]>([])

  func save(_ text: String) async throws {
    await Task.yield()
    log.withLock { $0.append(text) }
  }

  func close() { log.withLock { $0.append("closed") } }
}

private nonisolated enum DiskKey: DependencyKey {
  static var defaultValue: Database { Database() }
}

nonisolated enum DatabaseKey: ResourceKey {
  static var defaultValue: Database { Database() }
  static func open(_ needs: ResourceOpening) async throws -> Database { needs[\.disk] }
  static func close(_ database: Database) async { database.close() }
}

nonisolated extension Dependencies {
  fileprivate var disk: Database {
    get { self[DiskKey.self] }
    set { self[DiskKey.self] = newValue }
  }

  var database: Database { self[DatabaseKey.self] }
}

nonisolated enum Notes {
  struct State: Equatable { var text = "" }
  enum Action { case typed(String) }
  struct Environment: ComposableEnvironment { let scope = DependencyScope.current }

  static let reducer = Reducer<State, Action, Environment> { state, action, environment in
    guard case .typed(let text) = action else { return .none }
    state.text = text
    return .run { _ in try await environment.database.save(text) }
  }
}

@Suite("The session of User interfaces and callbacks")
@MainActor
private struct SessionTests {
  @Test(
    "nothing is saved after the database has closed, in any order",
    .exploring(),
    .dependencies {
      $0.disk = Database()
      $0.opensResourcesInTests = true
    })
  func store() async throws {
    let account = Account()
    for isCanceled in [true, false] {
      let session = Task { try await account.logIn() }
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = account.store
        } onChange: {
          continuation.resume()
        }
      }
      #expect(account.store != nil)
      account.store?.send(.typed("a"))
      account.store?.send(.typed("ab"))
      if isCanceled { session.cancel() }
      // The second one must not end the next session.
      for _ in 0..<2 { account.logOut() }
      try await session.value
      #expect(DependencyScope.current.disk.log.withLock { $0.last } == "closed")
    }
  }

  @Test(
    "a model saves nothing after the database has closed, in any order",
    .exploring(),
    .dependencies {
      $0.disk = Database()
      $0.opensResourcesInTests = true
    })
  func model() async throws {
    try await withResources(DatabaseKey.self) {
      let model = NotesModel()
      model.save("a")
      model.save("ab")
      await model.cancelAndFinish()
      model.save("abc")
    }
    #expect(DependencyScope.current.disk.log.withLock { $0.last } == "closed")
  }
}

@Suite("The models and callbacks of User interfaces and callbacks")
private struct CallbackTests {
  private let scope = DependencyScope.root.with(\.retryLimit, 5)

  @Test("models")
  @MainActor func models() {
    let library = scope.run { LibraryModel() }
    library.startDownload()
    #expect(library.download?.retryLimit == 5)
  }

  @Test("callbacks")
  func callbacks() {
    let observer = scope.run { DownloadObserver() }
    let session = URLSession(configuration: .ephemeral)
    let url = URL(filePath: "/nothing")
    let task = session.downloadTask(with: url)
    observer.urlSession(session, downloadTask: task, didFinishDownloadingTo: url)
    #expect(reports.withLock { $0.contains([5]) })
    _ = load(url, in: session)
    session.invalidateAndCancel()
  }
}
