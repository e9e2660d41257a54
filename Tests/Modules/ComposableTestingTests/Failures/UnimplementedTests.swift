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
        && $0.comments.contains { $0.rawValue.contains("It throws this issue: if") }
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

  private enum Answer: Equatable { case search, found(Int), failed }

  /// A store whose feature tries twice, and then says that it failed.
  private func makeStore() -> TestStore<[Int], Answer> {
    let fetch: @Sendable () async throws -> Int = Dependencies.unimplemented("apiClient.fetch")
    return TestStore(
      initialState: [],
      reducer: Reducer<[Int], Answer, Void> { state, answer, _ in
        if case .found(let number) = answer { state.append(number) }
        if answer == .failed { state = [0] }
        guard answer == .search else { return .none }
        return .run { send in
          if let number = try? await fetch() { return await send(.found(number)) }
          await send(.found(try await fetch()))
        } catch: { _, send in
          await send(.failed)
        }
      }, environment: ())
  }

  @Test(
    "a failure after one that threw says so, with and without a trait",
    arguments: [true, false])
  func thrown(hasTrait: Bool) async {
    let failures = await failures {
      func search() async {
        let store = makeStore()
        await store.send(.search)
        await store.receive(.found(1)) { $0 = [1] }
        await store.finish()
      }
      if hasTrait { await withTestDependencies { await search() } } else { await search() }
    }
    let isThrown = failures.map {
      $0.message.contains("It throws this issue: if code catches it, ")
    }
    #expect(isThrown.first == true, "\(failures)")
    let follower = failures.first { $0.message.hasPrefix("Expected to receive .found(1)") }
    let consequence =
      "This may follow from `apiClient.fetch`, which is unimplemented and threw before."
    #expect(follower?.message.hasSuffix("\n  \(consequence)") == true, "\(failures)")
  }

  @Test("a failure when the test runs again doesn't follow from what threw before")
  func thrownInAnotherRun() async {
    _ = await failures { await makeStore().send(.search).finish() }
    let failures = await failures { await makeStore().receive(.failed) }
    #expect(failures.map { $0.message.contains("This may follow") } == [false])
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
