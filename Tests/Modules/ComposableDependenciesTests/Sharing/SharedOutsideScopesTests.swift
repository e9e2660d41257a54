import DependencyDebugging
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
      Dependencies.setGlobally { $0[Key.self] = SharedClient("set") }
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
        _ = (scope[Key.self], read(Key.self, in: scope), scope.a)
        let ofDefault = Allocations { _ = scope.a }.allocated
        #expect(Allocations { _ = scope[Key.self] }.allocated <= ofDefault + 1)
        #expect(Allocations { _ = read(Key.self, in: scope) }.allocated <= ofDefault + 2)
      }.value
    }
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
}
