import ComposableEnvironment
import ComposableTesting
import Testing

// The code of the article Modules isolated to the main actor, word for word; `ReadmeTests` compares
// the two. It is compiled a second time by a target that isolates to the main actor by default.

struct SearchClient: DependencyKey {
  static let defaultValue = SearchClient(find: { await remoteResults(for: $0) })
  var find: @Sendable (String) async -> [String]
}

nonisolated func remoteResults(for query: String) async -> [String] { [query] }

nonisolated extension Dependencies {
  var searchClient: SearchClient {
    get { self[SearchClient.self] }
    set { self[SearchClient.self] = newValue }
  }
}

struct SearchFeature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.searchClient) var client
}

final class SearchModel {
  @Dependency(\.searchClient) var client
  private(set) var results: [String] = []

  func find(_ query: String) async {
    results = await client.find(query)
  }
}

nonisolated let offlineClient = SearchClient(find: { _ in [] })

@Suite(.dependencies { $0.searchClient = offlineClient })
struct SearchModelTests {
  @Test func findsNothingOffline() async {
    let model = SearchModel()
    await model.find("swift")
    #expect(model.results.isEmpty)
  }
}

@Suite("Snippets of Modules isolated to the main actor")
struct MainActorModulesSnippets {
  @Test("an environment and a model read the default")
  func defaults() async {
    let model = SearchModel()
    await model.find("swift")
    #expect(model.results == ["swift"])
    #expect(await SearchFeature().client.find("swift") == ["swift"])
  }
}
