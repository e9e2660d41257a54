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

  @Test("rule 34: an override stays the same input, however many others are set")
  func copies() {
    for count in [1, 7, 8, 9, 20, 70, 600] {
      let base = scope.with(\.one, 10)
      var inner = base.with(\.two, 1)
      var all: [DependencyScope] = [base, inner]
      for member in ManyKeys.first(count) {
        inner = inner.with(member, 1)
        all.append(inner)
      }
      let client = all[count / 2].sharedClient
      #expect(all.allSatisfy { $0.sharedClient === client }, "\(count) overrides")
      for member in ManyKeys.first(count) { inner = inner.with(member, 2) }
      #expect(inner.sharedClient === client, "\(count) overrides")
    }
  }

  @Test("rule 34: the inputs of a default that is read, and of another shared key, are inputs")
  func inputsOfInputs() {
    let outer = scope.outer
    #expect(outer.text == "2 and 1 nobody")
    #expect(scope.with(\.three, 7).outer === outer)
    #expect(scope.with(\.one, 7).outer.text == "2 and 7 nobody")
    #expect(scope.with(\.sharedClient, SharedClient("other")).outer.text == "2 and other")
    #expect(
      scope.with(\.two, 7).run { DependencyScope.current.sharedClient } === scope.sharedClient)
    #expect(scope.doubled.text == "2")
    #expect(scope.with(\.one, 7).doubled.text == "14")
    #expect(scope.with(\.twice, 5).doubled.text == "5")
    #expect(scope.with(\.two, 7).doubled === scope.doubled)
  }

  @Test("rule 34: only what a run asks for counts, where that depends on what it asked for before")
  func choosing() {
    let (odd, even) = (scope.with(\.one, 1), scope.with(\.one, 2))
    #expect(odd.with(\.two, 5).choosing === odd.choosing)
    #expect(even.with(\.two, 5).choosing !== even.choosing)
    #expect(even.with(\.three, 5).choosing === even.choosing)
    #expect((odd.choosing.text, even.choosing.text) == ("1", "2 2"))
  }

  @Test("rule 34: an instance is recreated when a global value that it was made from changes")
  func globalInputs() {
    let before = scope.sharedClient
    scope.setGlobally(\.two, 7)
    #expect(scope.sharedClient === before, "`two` is no input")
    scope.setGlobally(\.one, 7)
    let between = scope.sharedClient
    #expect(between.text == "7 nobody")
    #expect(scope.with(\.two, 1).sharedClient === between)
    let inner = scope.with(\.name, "x").sharedClient
    scope.setGlobally(\.one, 8)
    #expect(scope.sharedClient.text == "8 nobody")
    #expect(inner.text == "7 x")
    scope.run { Dependencies.resetGlobalValues() }
    #expect(scope.sharedClient.text == "1 nobody")
  }

  @Test("rule 34: an instance is recreated when an alias changes what it was made from")
  func aliases() {
    let before = scope.sharedClient
    scope.alias(\.one, to: \.four, fileID: #fileID, line: #line)
    #expect(scope.sharedClient.text == "4 nobody")
    let inner = scope.with(\.four, 7)
    #expect(inner.sharedClient.text == "7 nobody")
    #expect(inner.with(\.two, 7).sharedClient === inner.sharedClient)
    #expect(inner.with(\.one, 8).sharedClient.text == "8 nobody")
    scope.run { Dependencies.clearGlobalAliases() }
    #expect(scope.sharedClient.text == before.text)
    #expect(scope.sharedClient === scope.sharedClient)
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

  @Test("a shared key can read itself in other scopes, as long as that ends")
  func recursion() {
    enum CountdownKey: SharedKey {
      static func make(_ needs: SharedInputs) -> Int {
        let number = needs[\.one]
        return number == 0 ? 0 : 1 + store.with(\.one, number - 1)[CountdownKey.self]
      }

      @TaskLocal static var store = DependencyScope.root
    }
    CountdownKey.$store.withValue(scope) {
      #expect(scope.with(\.one, 20)[CountdownKey.self] == 20)
    }
  }

  @Test("a shared key reads its test value in a scope made for a test")
  func testValues() {
    let test = DependencyScope.isolated(usingTestValues: true)
    #expect(test.tested.text == "test")
    #expect(scope.tested.text == "live")
    #expect(test.sharedClient === test.with(\.two, 5).sharedClient, "the same unless declared")
    #expect(test.with(\.one, 7).sharedClient.text == "7 nobody")
  }

  #if DEBUG
    @Test("shared keys that are made from each other stop a debug build, which names them")
    func cycle() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = DependencyScope.root.with(\.one, 10).run { DependencyScope.current[ChickenKey.self] }
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("The default of ChickenKey reads EggKey, which reads ChickenKey"))
    }
  #endif
}

private enum ChickenKey: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { needs[EggKey.self] }
}

private enum EggKey: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { needs[ChickenKey.self] }
}

private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}
