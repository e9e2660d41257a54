struct Pool: Sendable {
  static let unavailable = Pool(name: "unavailable")
  static func connect(to url: String) async throws -> Pool { Pool(name: url) }
  var name = ""
  func shutDown() async {}
  func migrate() async throws {}
  func begin() async throws -> Transaction { Transaction(name: "transaction of \(name)") }
}

final class Transaction: Sendable {
  static let unavailable = Transaction(name: "unavailable")
  let name: String
  let hasSucceeded = false
  init(name: String) { self.name = name }
  func succeed() {}
  func commit() async {}
  func rollBack() async {}
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

@Suite("The code of Resources and lifetimes")
private struct ResourcesAndLifetimes {
  @Test("an application's lifetime, and a request's in it")
  func nested() async throws {
    try await DependencyScope.isolated().run {
      // block: try await withResources(PoolKey.self, CacheKey.self)
      try await withResources(PoolKey.self) {
        let response = try await handle(Request())
        #expect(response == Response(text: "transaction of live"))
        // block: let folder =
        #expect(folder == "folder")
      }
    }
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
