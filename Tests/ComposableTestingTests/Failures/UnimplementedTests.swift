import ComposableTesting
import Testing

@Suite("Unimplemented closures")
struct UnimplementedTests {
  @Test("calling one fails the test, names it and its place, and returns the placeholder")
  func failure() {
    let line = #line + 1
    let fetch: @Sendable (Int) -> [String] = unimplemented("apiClient.fetch", placeholder: ["none"])
    withKnownIssue {
      #expect(fetch(1) == ["none"])
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line
        && issue.comments.map(\.rawValue) == [
          """
          `apiClient.fetch` is used, but not implemented: it was declared so at \(#fileID):\(line).
            Instead: override it for this test, as in `.dependencies { $0.apiClient.fetch = … }`.
          """
        ]
    }
  }

  @Test("making one, and not calling it, fails nothing")
  func notCalled() {
    let _: @Sendable (Int) -> Int = unimplemented("a", placeholder: 0)
    let _: @Sendable (Int) throws -> Int = unimplemented("b")
  }

  @Test("a closure that throws needs no placeholder")
  func throwing() async {
    let line = #line + 1
    let fetch: @Sendable (Int) async throws -> Int = unimplemented("apiClient.fetch")
    await withKnownIssue {
      let error = await #expect(throws: UnimplementedError.self) { try await fetch(1) }
      #expect(error?.name == "apiClient.fetch")
      #expect(error?.sourceLocation.line == line)
    } matching: {
      $0.isUnimplemented("apiClient.fetch")
    }
  }

  @Test("the placeholder is computed at each call")
  func placeholders() {
    let counter = Counter()
    let next: @Sendable () -> Int = unimplemented("next", placeholder: counter.next())
    withKnownIssue {
      #expect((next(), next()) == (1, 2))
    } matching: {
      $0.isUnimplemented("next")
    }
  }

  @Test(
    "a test reads an unimplemented test value where it overrides nothing", .isolatedDependencies)
  func testValue() async throws {
    await withKnownIssue {
      #expect(await DependencyScope.current.client.fetch(1, "a") == [])
    } matching: {
      $0.isUnimplemented("client.fetch")
    }
    #expect(await DependencyScope.root.client.fetch(1, "a") == ["live"])
  }

  @Test(
    "what a test overrides does not fail it", .dependencies { $0.client.fetch = { _, a in [a] } })
  func overridden() async {
    #expect(await DependencyScope.current.client.fetch(1, "a") == ["a"])
  }

  @Test("a child task's call fails the test")
  func childTask() async {
    let log: @Sendable () -> Void = unimplemented("log")
    await withKnownIssue {
      await withTaskGroup { group in
        group.addTask { log() }
      }
      await Task { log() }.value
    } matching: {
      $0.isUnimplemented("log")
    }
  }
}

extension Issue {
  func isUnimplemented(_ name: String) -> Bool {
    comments.contains { $0.rawValue.hasPrefix("`\(name)` is used, but not implemented") }
  }
}

private struct Client: DependencyKey {
  static let defaultValue = Client { _, _ in ["live"] }
  static let testValue = Client(fetch: unimplemented("client.fetch", placeholder: []))
  var fetch: @Sendable (Int, String) async -> [String]
}

extension Dependencies {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}
