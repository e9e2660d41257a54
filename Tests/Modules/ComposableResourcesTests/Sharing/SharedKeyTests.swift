import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Shared keys")
struct SharedKeyTests {
  let scope = DependencyScope.isolated()

  @Test("rule 34: scopes share an instance if all that it was made from is the same")
  func shared() {
    let inner = scope.with(\.one, 10).with(\.name, "x")
    let client = inner.sharedClient
    #expect(client.text == "10 x")
    #expect(inner.sharedClient === client)
    #expect(inner.with(\.two, 5).sharedClient === client)
    #expect(inner.with(\.two, 5).run { DependencyScope.current.sharedClient } === client)
    #expect(scope.run { inner.sharedClient } === client)
    #expect(read(ClientKey.self, in: inner) === client)
    #expect(inner.run { Dependency(ClientKey.self) }.wrappedValue === client)
    let wrapper = inner.run { Dependency(\.sharedClient) }
    #expect(wrapper.wrappedValue === client)
    #expect(inner.run { ClientKey.defaultValue } === client)
  }

  @Test("rule 34: a scope that overrides an input has an instance of its own")
  func own() {
    let (first, second) = (scope.with(\.one, 10), scope.with(\.one, 10))
    #expect(first.sharedClient !== second.sharedClient)
    #expect(first.sharedClient !== scope.sharedClient)
    #expect(first.with(\.name, "x").sharedClient !== first.sharedClient)
    #expect(first.with(\.one, 11).sharedClient.text == "11 nobody")
    #expect(first.sharedClient === first.sharedClient)
  }

  @Test("rule 34: an instance made from no override belongs to the global store")
  func global() {
    let client = scope.lonely
    #expect(scope.with(\.one, 10).lonely === client)
    #expect(scope.run { DependencyScope.current.lonely } === client)
    #expect(DependencyScope.isolated().lonely !== client)
    #expect(DependencyScope.root.lonely === DependencyScope.root.with(\.one, 3).lonely)
  }

  @Test("a shared key is overridden, set globally and aliased as any other")
  func overriding() {
    let mock = SharedClient("mock")
    #expect(scope.with(\.sharedClient, mock).sharedClient === mock)
    #expect(scope.with(\.sharedClient, mock).run { read(ClientKey.self, in: .current) } === mock)
    scope.setGlobally(\.sharedClient, mock)
    #expect(scope.sharedClient === mock)
    #expect(scope.with(\.sharedClient, SharedClient("x")).sharedClient.text == "x")
    scope.run { Dependencies.resetGlobalValues() }
    #expect(scope.sharedClient.text == "1 nobody")
  }

  @Test("rule 34: what `make` reads without `needs` is no input, and overrides of it aren't seen")
  func ambientReads() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> SharedClient {
        SharedClient(
          "\(needs[\.one]) \(DependencyScope.current.two) \(DependencyScope.current.lonely.text)")
      }
    }
    let inner = scope.with(\.one, 10).with(\.two, 20)
    var client: SharedClient?
    let reported = issues { client = inner[Key.self] }
    #expect(client?.text == "10 2 lonely")
    #expect(inner.with(\.two, 30)[Key.self] === client)
    #if DEBUG
      #expect(
        reported.map(\.problem).contains {
          $0.hasPrefix(
            "`make` of `Key`, or a value that it created, reads `TwoKey` without `needs`")
        })
      #expect(reported.count == 2)
    #else
      #expect(reported.isEmpty)
    #endif
  }

  @Test("rule 34: a scope that `make` captured has no overrides, and keeps nothing alive")
  func capturedScopes() {
    struct Capturing: Sendable {
      @Dependency(\.one) var one
      let client: SharedClient
    }
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Capturing {
        _ = needs[\.one]
        return Capturing(client: Counters.client(""))
      }
    }
    let counters = Counters()
    Counters.$current.withValue(counters) {
      let scope = DependencyScope.isolated()
      let inner = scope.with(\.one, 10)
      let reported = issues {
        #expect((inner[Key.self].one, scope[Key.self].one) == (1, 1))
        scope.setGlobally(\.one, 5)
        #expect(inner[Key.self].one == 5)
      }
      #expect(reported.count == (isDebugBuild ? 3 : 0))
      #expect(counters.alive.count == 1)
    }
    #expect(counters.alive.count == 0)
  }

  @Test("a shared key reads its test value in a scope made for a test")
  func testValues() {
    let test = DependencyScope.isolated(usingTestValues: true)
    #expect(test.tested.text == "test")
    #expect(DependencyScope.isolated(usingTestValues: false).tested.text == "live")
    #expect(test.sharedClient === test.with(\.two, 5).sharedClient, "the same unless declared")
    #expect(test.with(\.one, 7).sharedClient.text == "7 nobody")
  }
}

private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}
