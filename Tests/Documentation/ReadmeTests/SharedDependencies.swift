import ComposableTesting
import Testing

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

// What contexts use of modules that their pages don't import.

extension Trait where Self == DependenciesTrait {
  static var ownDependencies: Self { .isolatedDependencies }
}

/// A test clock that is advanced when something sleeps on it.
struct DrivenClock {
  private let testClock = TestClock()
  var clock: any Clock<Duration> { testClock }

  func advance(by duration: Duration) async {
    await testClock.waitForSleepers(atLeast: 1)
    await testClock.advance(by: duration)
  }
}

let immediateClock: any Clock<Duration> = ImmediateClock()

func withOwnDependencies(
  _ update: (inout Dependencies) -> Void, operation: () async throws -> Void
) async throws {
  try await withTestDependencies(update, operation: operation)
}
