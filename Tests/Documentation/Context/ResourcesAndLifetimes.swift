import Synchronization

struct Pool: Sendable {
  static let unavailable = Pool(name: "unavailable")
  static func connect(to url: String) async throws -> Pool { Pool(name: url) }
  var name = ""
  func shutDown() async {}
  func migrate() async throws {}
  func begin() async throws -> Transaction {
    Transaction(on: Connection(name: "transaction of \(name)"))
  }
}

struct Connection: Sendable {
  struct Failure: Error {}

  static let log = Mutex<[String]>([])
  let name: String
  var fails = false
  func commit() async throws { if fails { throw Failure() } else { log("commits") } }
  func rollBack() async { log("rolls back") }
  func discard() async { log("is discarded") }
  private func log(_ text: String) { Self.log.withLock { $0.append("\(name) \(text)") } }
}

extension Transaction {
  static let unavailable = Transaction(on: Connection(name: "unavailable"))
  nonisolated var name: String { connection.name }
  nonisolated func rows() -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(DependencyScope.current[RequestIDKey.self])
      continuation.finish()
    }
  }
}

struct Request: Sendable {}
struct Response: Sendable, Equatable { var text = "" }

func respond(to request: Request) async throws -> Response {
  Response(text: DependencyScope.current[TransactionKey.self].name)
}

func serve() async throws {}

enum DatabaseURLKey: DependencyKey { static var defaultValue: String { "live" } }

extension Dependencies {
  var databaseURL: String { self[DatabaseURLKey.self] }

  var transaction: Transaction { self[TransactionKey.self] }
}

enum CacheKey: ResourceKey {
  static var defaultValue: Int { 0 }
  static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
  static func close(_ value: Int) async {}
}

enum TemporaryFolderKey: ResourceKey {
  static var defaultValue: String { "" }
  static func open(_ needs: ResourceOpening) async throws -> String { "folder" }
  static func close(_ value: String) async {}
}

enum TileServerKey: DependencyKey { static var defaultValue: String { "https://example.com" } }

final class MapClient: Sendable {
  let tileServer: String
  init(tileServer: String) { self.tileServer = tileServer }
}

extension Dependencies {
  var mapClient: MapClient { self[MapClientKey.self] }

  var tileServer: String {
    get { self[TileServerKey.self] }
    set { self[TileServerKey.self] = newValue }
  }
}

enum Sync {
  struct State: Sendable { var count = 0 }
  enum Action: Sendable { case synchronize }
  struct Environment: ComposableEnvironment { let scope = DependencyScope.current }
  static let log = Mutex<[String]>([])

  static let reducer = Reducer<State, Action, Environment> { state, _, environment in
    state.count += 1
    return .run { _ in
      try? await Task.sleep(for: .seconds(1_000_000))
      log.withLock { $0.append("\(environment.pool.name) is synchronized") }
    }
  }
}

private enum BoundedPoolKey: ResourceKey {
  static var defaultValue: Pool { .unavailable }
  static func open(_ needs: ResourceOpening) async throws -> Pool { .unavailable }

  // block: try await beforeDeadline { await pool.shutDown() }
}

@Suite("The code of Resources and lifetimes")
private struct ResourcesAndLifetimes {
  @Test("an application's lifetime, and a request's in it")
  func nested() async throws {
    try await DependencyScope.isolated().with(\.opensResourcesInTests, true).run {
      // block: try await withResources(PoolKey.self, CacheKey.self)
      try await withResources(PoolKey.self) {
        let response = try await handle(Request())
        #expect(response == Response(text: "transaction of live"))
        // block: let folder =
        #expect(folder == "folder")
      }
    }
  }

  @Test("a transaction that fails, one that isn't committed, and one that is")
  func transactions() async throws {
    let failing = Transaction(on: Connection(name: "1", fails: true))
    await #expect(throws: Connection.Failure.self) { try await failing.commit() }
    await failing.end()
    await Transaction(on: Connection(name: "2")).end()
    let committed = Transaction(on: Connection(name: "3"))
    try await committed.commit()
    await committed.end()
    let log = Connection.log.withLock { $0 }
    #expect(
      log.filter { $0.first?.isNumber == true } == ["1 is discarded", "2 rolls back", "3 commits"])
  }

  @Test("a store is a resource, whose effects end before the pool that they use closes")
  func store() async throws {
    // On a busy machine, it may take long to close.
    try await DependencyScope.isolated().with {
      $0.resourceClosingTime = .seconds(3_600)
      $0.opensResourcesInTests = true
    }.run {
      try await withResources(PoolKey.self, SyncKey.self) {
        _ = await DependencyScope.current[SyncKey.self]?.send(.synchronize)
      }
      try await withResources(BoundedPoolKey.self) {}
    }
    #expect(Sync.log.withLock { $0 } == ["live is synchronized"])
  }

  @Test("a test opens a resource")
  func tests() async throws {
    try await withOwnDependencies {
      $0.opensResourcesInTests = true
    } operation: {
      try await withResources(TemporaryFolderKey.self) {
        #expect(DependencyScope.current[TemporaryFolderKey.self] == "folder")
      }
    }
  }

  @Test("a shared value follows its inputs, and nothing else")
  func shared() {
    let client = DependencyScope.current.mapClient
    withDependencies {
      $0.retryLimit = 0
    } operation: {
      #expect(DependencyScope.current.mapClient === client)
    }
    withDependencies {
      $0.tileServer = "https://staging.example.com"
    } operation: {
      #expect(DependencyScope.current.mapClient !== client)
    }
  }
}
