import ComposableTesting
import Synchronization
import Testing

// The search field of "Finding ordering bugs", in modules with different settings.

private actor SearchField {
  let search: @Sendable (String) async throws -> [String]
  var query = ""
  var results: [String] = []

  init(search: @escaping @Sendable (String) async throws -> [String]) {
    self.search = search
  }

  func type(_ text: String) async throws {
    query = text
    results = try await search(text)
  }
}

@Suite("A search field that shows the wrong answer")
struct SearchFieldTests {
  /// As the guide shows it.
  private static let schedule = """
           1  test starts
         2–3  task 1 starts, from test
         4–5  task 2 starts, from test
    ▸      6  task 2 is about to call search, before task 1
           7  task 2 enters SearchField
         8–9  task 1 is about to call search
       10–11  task 2 returns from search
          12  task 1 returns from search
          13  test continues, resumed by task 1

    """

  private func search() async throws {
    let field = SearchField(search: interleaved(named: "search") { [$0] })
    async let first: Void = field.type("s")
    async let second: Void = field.type("sw")
    _ = try await (first, second)
    #expect(await field.results == [field.query])
  }

  private func issues(of operation: () async throws -> Void) async throws -> [String] {
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      try await operation()
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    return issues.withLock { $0 }
  }

  @Test("is found, and its token replays it")
  func found() async throws {
    let found = try await issues { try await explore { try await search() } }
    let report = try #require(found.last)
    #expect(found.count == 2 && report.contains("Shrunk to 1 switch"), "\(found)")
    let token = try #require(report.firstMatch(of: /replaying: "(.*)"/)).1
    #if DEBUG
      // Code of Swift 6.2 takes more steps.
      #if compiler(>=6.3) && hasFeature(NonisolatedNonsendingByDefault)
        #expect(token == "6.1/12/9884a9")
        #expect(report.replacing(/, at \S+:\d+/, with: "").contains(Self.schedule), "\(report)")
      #endif
    #endif
    let again = try await issues {
      try await explore(replaying: String(token)) { try await search() }
    }
    // The expectation, and no other issue: the token fits.
    #expect(again == [""])
  }
}
