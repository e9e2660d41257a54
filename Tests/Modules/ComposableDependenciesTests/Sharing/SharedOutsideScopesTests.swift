import ComposableDependencies
import TestSupport
import Testing

@Suite("Shared keys where scopes are rare")
struct SharedOutsideScopesTests {
  @Test("rule 9: a global value is read outside any scope, though an instance was made before")
  func globalValue() async {
    enum Key: SharedKey { static func make() -> SharedClient { SharedClient("made") } }
    await Task.detached {
      let scope = DependencyScope.current
      let client = scope[Key.self]
      #expect(client.text == "made")
      #expect(scope[Key.self] === client)
      Dependencies.set { $0[Key.self] = SharedClient("set") }
      #expect(scope[Key.self].text == "set")
    }.value
  }

  @Test(
    "an instance that was made is read outside any scope at little cost",
    .enabled(if: Allocations.areCounted))
  func costOutsideAnyScope() async {
    // In a process of its own, because other tests let reads outside scopes be reported.
    await #expect(processExitsWith: .success) {
      enum Key: SharedKey {
        static func make() -> SharedClient { SharedClient("\(DependencyScope.current.a)") }
      }
      await Task.detached {
        let scope = DependencyScope.current
        _ = (scope[Key.self], read(Key.self, in: scope))
        #expect(Allocations { _ = scope[Key.self] }.allocated <= 1)
        #expect(Allocations { _ = read(Key.self, in: scope) }.allocated <= 2)
      }.value
    }
  }

  @Test("rule 34: an environment's own override of a key that is aliased late is an input")
  func ownOverride() {
    struct Environment: ScopeCapturing { let scope = DependencyScope.current }
    let store = DependencyScope.isolated().with(\.a, 10)
    #expect(store.sharedClient.text == "10 nobody")
    let environment = store.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.b = 20 }
    store.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    #expect(environment.scope.sharedClient.text == "20 nobody")
    #expect(read(ClientKey.self, in: environment.scope).text == "20 nobody")
  }

  @Test("what `make` has captured reads the shared key that an update in `make` has read")
  func readInUpdate() {
    struct Capturing: Sendable {
      @Dependency(\.sharedClient) var client
      let read: SharedClient
    }
    enum Key: SharedKey {
      static func make() -> Capturing {
        var client: SharedClient?
        withDependencies {
          client = $0.sharedClient
        } operation: {
        }
        return Capturing(read: client!)
      }
    }
    let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
      .with(\.a, 10)
    let capturing = scope[Key.self]
    #expect(capturing.read.text == "10 nobody")
    var client: SharedClient?
    let reported = issues { client = capturing.client }
    #expect(reported.isEmpty)
    #expect(client === capturing.read)
  }

  @Test("rule 19: a child is not created again because a key of its parent was aliased late")
  func derivedEnvironment() {
    struct Child: ScopeCapturing {
      let scope = DependencyScope.current
      let client = Counters.client("child")
    }
    struct Parent: ScopeCapturing {
      let scope = DependencyScope.current
      @DerivedEnvironment var child = Child()
    }
    let store = DependencyScope.isolated()
    let counters = Counters()
    Counters.$current.withValue(counters) {
      let parent = store.run { Parent() }.recreated(fileID: #fileID, line: #line) { $0.b = 20 }
      store.alias(\.b, to: \.a, fileID: #fileID, line: #line)
      let made = counters.made.count
      let child = parent.child
      #expect(counters.made.count == made)
      #expect(child.scope.identity != parent.scope.identity)
      #expect(child.scope.unmarked.identity == parent.scope.unmarked.identity)
    }
  }

  @Test("threads settle the scope of an environment whose keys were aliased late")
  func settlingOnThreads() {
    struct Environment: ScopeCapturing { let scope = DependencyScope.current }
    let environments = (0..<300).map { _ in
      let store = DependencyScope.isolated().with(\.a, 10)
      let environment = store.run { Environment() }
        .recreated(fileID: #fileID, line: #line) { $0.b = 20 }
      store.alias(\.b, to: \.a, fileID: #fileID, line: #line)
      return environment
    }
    let values = onTwoThreads(rounds: 300) { round, _ in
      environments[round].scope.run { DependencyScope.current.a }
    }
    #expect(values.allSatisfy { $0 == (20, 20) })
  }
}
