import ComposableTesting
import TestSupport
import Testing

@Suite("Unimplemented closures")
struct UnimplementedTests {
  @Test("calling one fails the test, names it and its place, and returns the placeholder")
  func failure() async {
    let line = #line + 1
    let fetch: @Sendable (Int) -> [String] = unimplemented("apiClient.fetch", placeholder: ["none"])
    await expectFailure {
      #expect(fetch(1) == ["none"])
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line
        && issue.comments.map(\.rawValue) == [
          """
          `apiClient.fetch` was used, but it's declared unimplemented at \(#fileID):\(line).
            Instead: override it for this test, as in `.dependencies { $0.apiClient.fetch = … }`.
          """
        ]
    }
  }

  @Test("a closure that throws needs no placeholder")
  func throwing() async {
    let line = #line + 1
    let fetch: @Sendable (Int) async throws -> Int = unimplemented("apiClient.fetch")
    await expectFailure {
      let error = await #expect(throws: UnimplementedError.self) { try await fetch(1) }
      #expect(error?.name == "apiClient.fetch")
      #expect(error?.sourceLocation.line == line)
    } matching: {
      $0.isUnimplemented("apiClient.fetch")
    }
  }

  @Test("the placeholder is computed at each call")
  func placeholders() async {
    let counter = Counter()
    let next: @Sendable () -> Int = unimplemented("next", placeholder: counter.next())
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
    #expect(await DependencyScope.root.client.fetch(1, "a") == ["live"])
  }
}

extension Issue {
  func isUnimplemented(_ name: String) -> Bool {
    comments.contains {
      $0.rawValue.hasPrefix("`\(name)` was used, but it's declared unimplemented")
    }
  }
}

private struct Client: DependencyKey {
  static let defaultValue = Client { _, _ in ["live"] }
  static let testValue = Client(fetch: unimplemented("client.fetch", placeholder: []))
  var fetch: @Sendable (Int, String) async -> [String]
}

extension Dependencies {
  fileprivate var client: Client { self[Client.self] }
}
