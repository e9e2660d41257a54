import ComposableDependencies
import ComposableResources
import ComposableTesting
import Testing

// The code of the guide Resources and lifetimes, word for word; `ReadmeTests` compares the two.
// What belongs to other packages has stand-ins here.

struct Pool: Sendable {
  static let unavailable = Pool(name: "unavailable")
  static func connect(to url: String) async throws -> Pool { Pool(name: url) }
  var name = ""
  func shutDown() async {}
  func migrate() async throws {}
  func beginSession() async throws -> UserSession { UserSession(name: "session of \(name)") }
}

struct UserSession: Sendable {
  static let unavailable = UserSession(name: "unavailable")
  let name: String
  func end() async {}
}

final class Transaction: Sendable {
  let hasSucceeded = false
  func succeed() {}
  func commit() async {}
  func rollBack() async {}
}

struct Request: Sendable {}
struct Response: Sendable, Equatable { var text = "" }

func respond(to request: Request) async throws -> Response {
  Response(text: DependencyScope.current[SessionKey.self].name)
}

func serve() async throws {}

func writeReport() async throws {
  #expect(DependencyScope.current[TemporaryFolderKey.self] == "folder")
}

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

enum TransactionKey: ResourceKey {
  static var defaultValue: Transaction { Transaction() }
  static func open(_ needs: ResourceOpening) async throws -> Transaction { Transaction() }

  static func close(_ transaction: Transaction) async {
    if transaction.hasSucceeded {
      await transaction.commit()
    } else {
      await transaction.rollBack()
    }
  }
}

enum PoolKey: ResourceKey {
  static var defaultValue: Pool { .unavailable }

  static func open(_ needs: ResourceOpening) async throws -> Pool {
    try await Pool.connect(to: needs[\.databaseURL])
  }

  static func close(_ pool: Pool) async {
    await pool.shutDown()
  }
}

extension Dependencies {
  var pool: Pool {
    get { self[PoolKey.self] }
    set { self[PoolKey.self] = newValue }
  }
}

enum SessionKey: ResourceKey {
  static var defaultValue: UserSession { .unavailable }

  static func open(_ needs: ResourceOpening) async throws -> UserSession {
    let pool = try await needs(PoolKey.self)
    return try await pool.beginSession()
  }

  static func close(_ session: UserSession) async {
    await session.end()
  }
}

func handle(_ request: Request) async throws -> Response {
  try await withResources(SessionKey.self, TransactionKey.self) {
    let response = try await respond(to: request)
    DependencyScope.current.transaction.succeed()
    return response
  }
}

// MARK: - Stand-ins for other packages

final class HTTPClient: Sendable {
  static let shared = HTTPClient()
  func shutdown() async throws {}
  static func withHTTPClient<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (HTTPClient) async throws -> R
  ) async throws -> R {
    try await body(HTTPClient())
  }
}

protocol Service: Sendable {
  func run() async throws
}

struct ServiceGroup: Sendable {
  func run() async throws {}
}

struct Application: Sendable {
  func runService() async throws {
    #expect(DependencyScope.current.pool.name == "live")
  }
}

let application = Application()

func group(of services: [any Service]) -> ServiceGroup { ServiceGroup() }

enum ServiceListKey: DependencyKey { static var defaultValue: [any Service] { [] } }

extension Dependencies {
  var services: [any Service] { self[ServiceListKey.self] }

  var httpClient: HTTPClient {
    get { self[HTTPClientKey.self] }
    set { self[HTTPClientKey.self] = newValue }
  }
}

enum HTTPClientKey: ResourceKey {
  static var defaultValue: HTTPClient { .shared }
  static func open(_ needs: ResourceOpening) async throws -> HTTPClient { HTTPClient() }
  static func close(_ client: HTTPClient) async { try? await client.shutdown() }
}

enum ServicesKey: ResourceKey {
  static var defaultValue: ServiceGroup { group(of: []) }
  static func open(_ needs: ResourceOpening) async throws -> ServiceGroup {
    group(of: needs[\.services])
  }
  static func run(_ group: ServiceGroup) async throws { try await group.run() }
  static func close(_ group: ServiceGroup) async {}
}

struct Program: Service {
  func run() async throws {
    try await withResources(PoolKey.self) {
      try await application.runService()
    }
  }
}

enum TileServerKey: DependencyKey { static var defaultValue: String { "https://example.com" } }

final class MapClient: Sendable {
  let tileServer: String
  init(tileServer: String) { self.tileServer = tileServer }
}

extension Dependencies {
  var tileServer: String {
    get { self[TileServerKey.self] }
    set { self[TileServerKey.self] = newValue }
  }
}

enum MapClientKey: SharedKey {
  static func make() -> MapClient {
    MapClient(tileServer: DependencyScope.current.tileServer)
  }
}

extension Dependencies {
  var mapClient: MapClient {
    get { self[MapClientKey.self] }
    set { self[MapClientKey.self] = newValue }
  }
}

@Suite("Snippets of Resources and lifetimes")
struct ResourcesAndLifetimesSnippets {
  @Test("an application's lifetime, and a request's in it")
  func nested() async throws {
    try await DependencyScope.isolated().run {
      try await withResources(PoolKey.self, CacheKey.self) {
        try await DependencyScope.current.pool.migrate()
        try await serve()
      }
      try await withResources(PoolKey.self) {
        let response = try await handle(Request())
        #expect(response == Response(text: "session of live"))
        let folder = try await DependencyScope.current.open(TemporaryFolderKey.self)
        #expect(folder == "folder")
      }
    }
  }

  @Test("a test overrides a resource, or opens it")
  func tests() async throws {
    try await withTestDependencies {
      $0.pool = Pool(name: "in memory")
    } operation: {
      try await withResources(PoolKey.self) {
        #expect(DependencyScope.current.pool.name == "in memory")
      }
    }
    try await withTestDependencies {
      $0.opensResourcesInTests = true
    } operation: {
      try await withResources(TemporaryFolderKey.self) { try await writeReport() }
    }
  }

  @Test("a shared value follows its inputs, and nothing else")
  func shared() {
    let client = DependencyScope.current.mapClient
    withDependencies {
      $0.retryLimit = 0
    } operation: {
      #expect(DependencyScope.current.mapClient === client)  // `retryLimit` is no input
    }
    withDependencies {
      $0.tileServer = "https://staging.example.com"
    } operation: {
      #expect(DependencyScope.current.mapClient !== client)
    }
  }

  @Test("clients of other packages")
  func clients() async throws {
    try await DependencyScope.isolated().run {
      try await withResources(HTTPClientKey.self, ServicesKey.self) {}
      try await Program().run()
      try await HTTPClient.withHTTPClient { client in
        try await withDependencies {
          $0.httpClient = client
        } operation: {
          try await withResources(PoolKey.self) { try await serve() }
        }
      }
    }
  }
}
