import ComposableDependencies

// What the code of several pages reads, and no page declares.

struct APIClient: DependencyKey {
  static let defaultValue = APIClient { query in ["live result for \(query)"] }
  var search: @Sendable (String) async throws -> [String]
}

private enum AttemptLimitKey: DependencyKey {
  static let defaultValue = 1
}

extension Dependencies {
  var apiClient: APIClient {
    get { self[APIClient.self] }
    set { self[APIClient.self] = newValue }
  }

  var attemptLimit: Int {
    get { self[AttemptLimitKey.self] }
    set { self[AttemptLimitKey.self] = newValue }
  }
}

struct Searcher {
  @Dependency(\.retryLimit) var retryLimit
}
