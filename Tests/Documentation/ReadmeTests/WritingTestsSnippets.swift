import ComposableReducers
import ComposableTesting
import Foundation
import GlobalEnvironment
import Testing
import XCTest

private func deliver(_ message: String) async throws {}

struct Mailer: DependencyKey {
  static let defaultValue = Mailer { message in try await deliver(message) }
  static let testValue = Mailer { _ in
    DependencyIssue(
      problem: "A test sends mail.", remedy: "override `mailer`"
    ).report()
  }

  var send: @Sendable (String) async throws -> Void
}

extension Dependencies {
  fileprivate var mailer: Mailer {
    get { self[Mailer.self] }
    set { self[Mailer.self] = newValue }
  }
}

@Suite(.dependencies { $0.retryLimit = 1 })
struct SearchTests {
  let searcher = Searcher()

  @Test func readsWhatTheSuiteSays() {
    #expect(searcher.retryLimit == 1)
  }

  @Test(.dependencies { $0.retryLimit += 1 })
  func readsWhatItSaysItself() {
    #expect(searcher.retryLimit == 2)
  }

  @Test(arguments: 0..<10)
  func setsGlobally(limit: Int) {
    Dependencies.set { $0.attemptLimit = limit }
    #expect(DependencyScope.current.attemptLimit == limit)
  }
}

@Suite(.dependencies { $0.apiClient.search = { query in [query] } })
struct SearchPageTests {
  let clock = TestClock()

  @Test func searchesWhenNobodyTypes() async {
    let store = TestStore(
      initialState: SearchPage(), reducer: searchPageReducer,
      environment: SearchPageEnvironment().with(\.typingClock, clock))
    await store.send(.queryChanged("swif")) { $0.query = "swif" }
    await clock.advance(by: .milliseconds(200))
    await store.send(.queryChanged("swift")) { $0.query = "swift" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(/SearchPageAction.found) { $0.results = ["swift"] }
    await store.finish()
  }

  @Test(.dependencies { $0.typingClock = ImmediateClock() })
  func showsResults() async {
    let store = TestStore(
      initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment())
    store.exhaustivity = .off
    await store.send(.queryChanged("swift"))
    await store.receive(/SearchPageAction.found) { $0.results = ["swift"] }
  }
}

/// Run alone: in one process with tests that lose their scope on purpose, it would hear of theirs.
@Suite(
  "Snippets of Writing tests: lost scopes",
  .enabled(if: ProcessInfo.processInfo.environment["LOST_SCOPES"] != nil))
enum LostScopesSnippets {
  @Suite(.dependencies(reporting: .lostScopes) { $0.retryLimit = 1 })
  struct UploadTests {
    @Test func keepsItsScope() async {
      let limit = await Task.detached(in: .current) { DependencyScope.current.retryLimit }.value
      #expect(limit == 1)
    }
  }
}

@Suite("Snippets of Writing tests")
struct WritingTestsSnippets {
  @Test(.dependencies { $0.apiClient.search = unimplemented("apiClient.search") })
  func searchesOnlyWhenAsked() async {
    let store = TestStore(
      initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment())
    await store.send(.found(["swift"])) { $0.results = ["swift"] }
    await store.finish()
  }

  @Test(.isolatedDependencies)
  func wakesInOrder() async throws {
    let clock = TestClock()
    async let late: Void = clock.sleep(for: .seconds(2))
    async let early: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    try await early
    await clock.advance(by: .seconds(1))
    try await late
    try await clock.checkSuspension()
  }

  @Test func waitsForATaskOfItsOwn() async throws {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test("a test value reports an issue", .isolatedDependencies)
  func testValue() async throws {
    try await withKnownIssue {
      try await DependencyScope.current.mailer.send("swift")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("A test sends mail.") }
    }
    try await withDependencies {
      $0.mailer.send = { _ in }
    } operation: {
      try await DependencyScope.current.mailer.send("swift")
    }
  }
}

final class UploaderTests: XCTestCase {
  override func invokeTest() {
    withTestDependencies {
      $0.retryLimit = 1
    } operation: {
      super.invokeTest()
    }
  }

  func testReadsWhatTheCaseSays() {
    XCTAssertEqual(Uploader().retryLimit, 1)
  }
}
