import ComposableEnvironment
import GlobalEnvironment
import Testing

// What a module that isolates to the main actor by default writes; that it compiles is the test.

enum LimitKey: DependencyKey {
  static let defaultValue = 3
}

struct Client: DependencyKey {
  static let defaultValue = Client(fetch: { "live" })
  var fetch: @Sendable () async throws -> String
}

nonisolated extension Dependencies {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }

  var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.limit) var limit
  @Dependency(Client.self) var client
  @DerivedEnvironment<Child>(aliases: { $0 }) var child
  @DerivedEnvironment var tuned = Child().with(\.limit, 5)
}

struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Settings> var settings
}

struct Settings: GlobalEnvironment {
  @Dependency(\.limit) var limit
}

final class Model {
  @Dependency(\.limit) var limit
  var feature = Feature()
  private(set) var text = ""

  func load() async throws {
    feature.tuned[\.limit] = 6
    try await feature.scope.run {
      text = try await feature.client.fetch() + "\(limit)"
    }
  }
}

@Suite("A module isolated to the main actor by default")
struct MainActorClientTests {
  @Test("declares keys, dependencies and environments, and reads them anywhere")
  func client() async throws {
    let model = withDependencies {
      $0.limit = 4
      $0.client.fetch = { "test" }
    } operation: {
      Model()
    }
    try await model.load()
    #expect(model.text == "test4")
    #expect(model.feature.tuned.limit == 6)
    #expect(await Task.detached { DependencyScope.current.limit }.value == 3)
  }
}
