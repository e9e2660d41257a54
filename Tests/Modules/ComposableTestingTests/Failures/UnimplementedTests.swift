import ComposableTesting
import TestSupport
import Testing

@Suite("Unimplemented closures")
struct UnimplementedTests {
  @Test("calling one fails the test, names it and its place, and returns the placeholder")
  func failure() async {
    let line = #line + 1
    let fetch: @Sendable (Int) -> [String] = Dependencies.unimplemented(
      "apiClient.fetch", placeholder: ["none"])
    await expectFailure {
      #expect(fetch(1) == ["none"])
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix(
          """
          \(#fileID):\(line): `apiClient.fetch` was used, but it's declared unimplemented.
            Instead: override it for this test, before you create what calls it, as in \
          `.dependencies { $0.apiClient.fetch = … }`.
          """) == true
    }
  }

  @Test("a closure that throws needs no placeholder")
  func throwing() async {
    let line = #line + 1
    let fetch: @Sendable (Int) async throws -> Int = Dependencies.unimplemented("apiClient.fetch")
    await expectFailure {
      let error = await #expect(throws: DependencyIssue.self) { try await fetch(1) }
      #expect(error?.line == UInt(line))
    } matching: {
      $0.isUnimplemented("apiClient.fetch")
        && $0.comments.contains { $0.rawValue.contains("It throws this issue, which") }
    }
  }

  @Test("an effect that ends with the error of one fails the test once")
  func effect() async {
    let fetch: @Sendable () async throws -> Int = Dependencies.unimplemented("apiClient.fetch")
    let store = TestStore(
      initialState: 0,
      reducer: Reducer<Int, Bool, Void> { _, _, _ in .run { _ in _ = try await fetch() } },
      environment: ())
    let failures = await collectFailures { await store.send(true).finish() }
    #expect(failures.count == 1)
    #expect(failures.first?.isUnimplemented("apiClient.fetch") == true)
  }

  @Test("the placeholder is computed at each call")
  func placeholders() async {
    let counter = Counter()
    let next: @Sendable () -> Int = Dependencies.unimplemented("next", placeholder: counter.next())
    await expectFailure {
      #expect((next(), next()) == (1, 2))
    } matching: {
      $0.isUnimplemented("next")
    }
  }

  @Test(
    "a test without an override reads an unimplemented test value", .isolatedDependencies)
  func testValue() async throws {
    await expectFailure {
      #expect(await DependencyScope.current.client.fetch(1, "a") == [])
    } matching: {
      $0.isUnimplemented("client.fetch")
    }
    let program = DependencyScope.isolated(usingTestValues: false)
    #expect(await program.client.fetch(1, "a") == ["live"])
  }
}

extension Issue {
  func isUnimplemented(_ name: String) -> Bool {
    comments.contains {
      $0.rawValue.contains(" `\(name)` was used, but it's declared unimplemented")
    }
  }
}

private struct Client: DependencyKey {
  static let defaultValue = Client { _, _ in ["live"] }
  static let testValue = Client(fetch: Dependencies.unimplemented("client.fetch", placeholder: []))
  var fetch: @Sendable (Int, String) async -> [String]
}

extension Dependencies {
  fileprivate var client: Client { self[Client.self] }
}
