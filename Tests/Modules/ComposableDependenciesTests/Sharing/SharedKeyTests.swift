import ComposableDependencies
import TestSupport
import Testing

@Suite("Shared keys")
struct SharedKeyTests {
  let scope = DependencyScope.isolated()

  @Test("rule 34: scopes share an instance if all that it was made from is the same")
  func shared() {
    let inner = scope.with(\.a, 10).with(\.name, "x")
    let client = inner.sharedClient
    #expect(client.text == "10 x")
    #expect(inner.sharedClient === client)
    #expect(inner.with(\.b, 5).sharedClient === client)
    #expect(inner.with(\.b, 5).run { DependencyScope.current.sharedClient } === client)
    #expect(scope.run { inner.sharedClient } === client)
    #expect(read(ClientKey.self, in: inner) === client)
    #expect(inner.run { Dependency(ClientKey.self) }.wrappedValue === client)
    let wrapper = inner.run { Dependency(\.sharedClient) }
    #expect(wrapper.wrappedValue === client)
    #expect(inner.run { ClientKey.defaultValue } === client)
  }

  @Test("rule 34: a scope that overrides an input has an instance of its own")
  func own() {
    let (first, second) = (scope.with(\.a, 10), scope.with(\.a, 10))
    #expect(first.sharedClient !== second.sharedClient)
    #expect(first.sharedClient !== scope.sharedClient)
    #expect(first.with(\.name, "x").sharedClient !== first.sharedClient)
    #expect(first.with(\.a, 11).sharedClient.text == "11 nobody")
    #expect(first.sharedClient === first.sharedClient)
  }

  @Test("rule 34: an instance made from no override belongs to the global store")
  func global() {
    let client = scope.lonely
    #expect(scope.with(\.a, 10).lonely === client)
    #expect(scope.run { DependencyScope.current.lonely } === client)
    #expect(DependencyScope.isolated().lonely !== client)
    #expect(DependencyScope.root.lonely === DependencyScope.root.with(\.a, 3).lonely)
  }

  @Test("rule 34: an override that is copied stays the same input")
  func copies() {
    for count in [1, 7, 8, 9, 20, 70, 600] {
      let base = scope.with(\.a, 10)
      var inner = base.with(\.b, 1)
      var all: [DependencyScope] = [base, inner]
      for member in ManyKeys.first(count) {
        inner = inner.with(member, 1)
        all.append(inner)
      }
      let client = all[count / 2].sharedClient
      #expect(all.allSatisfy { $0.sharedClient === client }, "\(count) overrides")
      // Some of the overrides are copied from now on.
      for member in ManyKeys.first(count) { inner = inner.with(member, 2) }
      #expect(inner.sharedClient === client, "\(count) overrides")
    }
  }

  @Test("rule 34: an override that was copied before a shared key has read it is the same input")
  func earlyCopies() {
    enum InputKey: DependencyKey { static var defaultValue: Int { 0 } }
    enum Key: SharedKey {
      static func make() -> SharedClient {
        SharedClient("\(DependencyScope.current[InputKey.self])")
      }
    }
    var inner = scope.with { $0[InputKey.self] = 1 }
    var all = [inner]
    for member in ManyKeys.first(100) {
      inner = inner.with(member, 1)
      all.append(inner)
    }
    let client = inner[Key.self]
    #expect(all.allSatisfy { $0[Key.self] === client })
  }

  @Test("rule 34: the inputs of a default that is read, and of another shared key, are inputs")
  func inputsOfInputs() {
    let outer = scope.outer
    #expect(outer.text == "2 and 1 nobody")
    #expect(scope.with(\.c, 7).outer === outer)
    #expect(scope.with(\.a, 7).outer.text == "2 and 7 nobody")
    #expect(scope.with(\.sharedClient, SharedClient("other")).outer.text == "2 and other")
    #expect(scope.with(\.b, 7).run { DependencyScope.current.sharedClient } === scope.sharedClient)
    #expect(scope.doubled.text == "2")
    #expect(scope.with(\.a, 7).doubled.text == "14")
    #expect(scope.with(\.double, 5).doubled.text == "5")
    #expect(scope.with(\.b, 7).doubled === scope.doubled)
  }

  @Test("rule 34: only what was read in a run counts, where that depends on what was read before")
  func choosing() {
    let (odd, even) = (scope.with(\.a, 1), scope.with(\.a, 2))
    #expect(odd.with(\.b, 5).choosing === odd.choosing)
    #expect(even.with(\.b, 5).choosing !== even.choosing)
    #expect(even.with(\.c, 5).choosing === even.choosing)
    #expect((odd.choosing.text, even.choosing.text) == ("1", "2 2"))
  }

  @Test("rule 34: an instance is recreated when a global value that it was made from changes")
  func globalInputs() {
    let before = scope.sharedClient
    scope.setGlobally(\.b, 7)
    #expect(scope.sharedClient === before, "`b` is no input")
    scope.setGlobally(\.a, 7)
    let between = scope.sharedClient
    #expect(between.text == "7 nobody")
    #expect(scope.with(\.b, 1).sharedClient === between)
    let inner = scope.with(\.name, "x").sharedClient
    scope.setGlobally(\.a, 8)
    #expect(scope.sharedClient.text == "8 nobody")
    #expect(inner.text == "7 x")
    scope.run { Dependencies.resetGlobalValues() }
    #expect(scope.sharedClient.text == "1 nobody")
  }

  @Test("rule 34: an instance is recreated when an alias changes what it was made from")
  func aliases() {
    let before = scope.sharedClient
    scope.alias(\.a, to: \.d, fileID: #fileID, line: #line)
    #expect(scope.sharedClient.text == "4 nobody")
    let inner = scope.with(\.d, 7)
    #expect(inner.sharedClient.text == "7 nobody")
    #expect(inner.with(\.b, 7).sharedClient === inner.sharedClient)
    #expect(inner.with(\.a, 8).sharedClient.text == "8 nobody")
    scope.run { Dependencies.clearGlobalAliases() }
    #expect(scope.sharedClient.text == before.text)
    #expect(scope.sharedClient === scope.sharedClient)
  }

  @Test("a shared key is overridden, set globally and aliased as any other")
  func overriding() {
    enum OtherKey: DependencyKey { static let defaultValue = SharedClient("default") }
    let mock = SharedClient("mock")
    #expect(scope.with(\.sharedClient, mock).sharedClient === mock)
    #expect(scope.with(\.sharedClient, mock).run { read(ClientKey.self, in: .current) } === mock)
    scope.setGlobally(\.sharedClient, mock)
    #expect(scope.sharedClient === mock)
    #expect(scope.with(\.sharedClient, SharedClient("x")).sharedClient.text == "x")
    scope.run { Dependencies.resetGlobalValues() }
    #expect(scope.sharedClient.text == "1 nobody")
  }

  @Test("a shared key can read itself in other scopes, as long as that ends")
  func recursion() {
    enum CountdownKey: SharedKey {
      static func make() -> Int {
        let scope = DependencyScope.current
        return scope.a == 0 ? 0 : 1 + scope.with(\.a, scope.a - 1)[CountdownKey.self]
      }
    }
    #expect(scope.with(\.a, 20)[CountdownKey.self] == 20)
  }

  @Test("a shared key reads its test value in a scope made for a test")
  func testValues() {
    let test = DependencyScope.isolated(usingTestValues: true)
    #expect(test.tested.text == "test")
    #expect(scope.tested.text == "live")
    #expect(test.sharedClient === test.with(\.b, 5).sharedClient, "the same unless declared")
    #expect(test.with(\.a, 7).sharedClient.text == "7 nobody")
  }

  #if DEBUG
    @Test("shared keys that are made from each other stop a debug build, which names them")
    func cycle() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = DependencyScope.root.with(\.a, 10).run { DependencyScope.current[ChickenKey.self] }
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("The default of ChickenKey reads EggKey, which reads ChickenKey"))
    }
  #endif
}

private enum ChickenKey: SharedKey {
  static func make() -> Int { DependencyScope.current[EggKey.self] }
}

private enum EggKey: SharedKey {
  static func make() -> Int { DependencyScope.current[ChickenKey.self] }
}
