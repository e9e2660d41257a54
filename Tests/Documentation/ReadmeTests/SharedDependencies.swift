import ComposableDependencies

// What the code of several pages reads, and no page declares.

struct APIClient: DependencyKey {
  static let defaultValue = APIClient { query in ["live result for \(query)"] }
  var search: @Sendable (String) async throws -> [String]
}

extension Dependencies {
  var apiClient: APIClient {
    get { self[APIClient.self] }
    set { self[APIClient.self] = newValue }
  }
}

struct Searcher {
  @Dependency(\.retryLimit) var retryLimit
}
