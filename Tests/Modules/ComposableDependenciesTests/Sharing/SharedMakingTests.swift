import Environments
import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@Suite("Making shared instances")
struct SharedMakingTests {
  let scope = DependencyScope.isolated()

  @Test("rule 35: one instance is made for each combination of inputs")
  func onePerCombination() {
    let counters = Counters()
    Counters.$current.withValue(counters) {
      let (firsts, names) = ((0..<20).map { scope.with(\.a, $0) }, ["x", "y", "z"])
      let scopes = firsts.flatMap { first in names.map { first.with(\.name, $0) } }
      let clients = scopes.map(\.sharedClient)
      #expect(Set(clients.map { ObjectIdentifier($0) }).count == 60)
      #expect(clients.map(\.text) == (0..<20).flatMap { a in names.map { "\(a) \($0)" } })
      #expect(zip(scopes, clients).allSatisfy { $0.with(\.c, 1).sharedClient === $1 })
      #expect(counters.made.count == 60)
    }
  }

  @Test("rule 35: threads that ask first at the same time all get the one instance that is kept")
  func racing() async {
    for _ in 0..<50 {
      let inner = scope.with(\.a, 10)
      let gate = Gate()
      let clients = await withTaskGroup { group in
        for index in 0..<8 {
          group.addTask {
            await gate.wait()
            return inner.with(\.b, index).sharedClient
          }
        }
        await gate.waitForArrivals(8)
        gate.open()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(clients.allSatisfy { $0 === clients[0] })
    }
  }

  @Test(
    "rule 35: a run of `make` that comes second is thrown away, and gets the first one's instance")
  func second() {
    // Not the closure itself: a task-local of a function type crashes in an optimized build.
    struct Meanwhile: Sendable { let run: @Sendable () -> Void }
    enum Key: SharedKey {
      @TaskLocal static var meanwhile: Meanwhile?
      static func make() -> SharedClient {
        _ = DependencyScope.current.a
        Key.meanwhile?.run()
        return Counters.client("")
      }
    }
    let (counters, inner) = (Counters(), scope.with(\.a, 1))
    let first = Mutex<SharedClient?>(nil)
    let second = Counters.$current.withValue(counters) {
      let meanwhile = Meanwhile {
        let client = Key.$meanwhile.withValue(nil) { inner[Key.self] }
        first.withLock { $0 = client }
      }
      return Key.$meanwhile.withValue(meanwhile) { inner[Key.self] }
    }
    #expect(first.withLock { $0 } === second)
    #expect((counters.made.count, counters.alive.count) == (2, 1))
  }

  @Test("`make` may set global values, declare aliases and enter scopes")
  func noLockIsHeld() {
    enum Key: SharedKey {
      static func make() -> SharedClient {
        let scope = DependencyScope.current
        scope.setGlobally(\.d, 7)
        scope.alias(\.b, to: \.c, fileID: #fileID, line: #line)
        let inner = scope.with(\.name, "inner")
        return SharedClient(
          "\(inner.sharedClient.text) \(inner.run { DependencyScope.current.sum })")
      }
    }
    #expect(scope.with(\.a, 10)[Key.self].text == "10 inner 13")
    #expect((scope.d, scope.b) == (7, 3))
  }

  @Test("an override inside of `make` is no input, and what it hides isn't either")
  func overridesInMake() {
    enum Key: SharedKey {
      static func make() -> SharedClient {
        var scope = DependencyScope.current.with { $0.a = 7 }
        for member in ManyKeys.first(20) { scope = scope.with(member, 1) }
        return scope.run { SharedClient(DependencyScope.current.sharedClient.text) }
      }
    }
    let client = scope.with(\.name, "x")
    #expect(client[Key.self].text == "7 x")
    #expect(client.with(\.a, 8)[Key.self] === client[Key.self])
    #expect(client.with(\.name, "y")[Key.self].text == "7 y")
  }

  @Test("a value that is set while it is made from the one before is not kept")
  func setMeanwhile() {
    enum Key: SharedKey {
      static func make() -> SharedClient {
        let client = SharedClient("\(DependencyScope.current.a)")
        DependencyScope.current.setGlobally(\.a, 7)
        return client
      }
    }
    #expect(scope[Key.self].text == "1")
    #expect(scope[Key.self].text == "7")
  }

  @Test("reading an instance that is made allocates nothing", .enabled(if: Allocations.areCounted))
  func cost() {
    let inner = scope.with(\.a, 10).with(\.name, "x")
    inner.run {
      // The first round makes them; the second is the first that finds them, by code whose generic
      // metadata the runtime may still have to make.
      func read() {
        _ = (DependencyScope.current.sharedClient, inner.outer, inner.lonely)
        _ = (ClientKey.defaultValue, OuterKey.defaultValue, LonelyKey.defaultValue)
      }
      for _ in 0..<2 { read() }
      #expect(Allocations { for _ in 0..<100 { read() } } == Allocations {})
    }
  }

  @Test(
    "reading an instance enters no scope, and so allocates nothing outside of a task either",
    .enabled(if: Allocations.areCounted))
  func costOutsideOfTasks() {
    let inner = scope.with(\.a, 10).with(\.name, "x")
    onSmallStack {
      func read() { _ = (inner.sharedClient, inner.outer, inner.lonely, scope.sharedClient) }
      for _ in 0..<2 { read() }
      #expect(Allocations { for _ in 0..<100 { read() } } == Allocations {})
    }
  }

  @Test("`make` gets the instance of another shared key that is known already")
  func knownInstances() {
    enum OverKey: SharedKey {
      static func make() -> SharedClient {
        let scope = DependencyScope.current
        return Counters.client("over \(scope.sharedClient.text) \(scope.lonely.text)")
      }
    }
    let counters = Counters()
    Counters.$current.withValue(counters) {
      let inner = scope.with(\.a, 10)
      _ = (inner.sharedClient, inner.lonely)
      #expect(counters.made.count == 2)
      #expect(inner[OverKey.self].text == "over 10 nobody lonely")
      #expect(counters.made.count == 3)
      #expect(inner.with(\.c, 1)[OverKey.self] === inner[OverKey.self])
      #expect(scope.with(\.a, 11)[OverKey.self].text == "over 11 nobody lonely")
    }
  }

  @Test("looking for an instance of another shared key reads no more than that was made from")
  func inputsOfOtherCandidates() {
    enum OverKey: SharedKey {
      static func make() -> SharedClient { SharedClient(DependencyScope.current.choosing.text) }
    }
    let (odd, even) = (scope.with(\.a, 1), scope.with(\.a, 2))
    for first in [[odd, even], [even, odd]] {
      for scope in first { _ = scope.choosing }
      #expect(odd.with(\.b, 5)[OverKey.self] === odd[OverKey.self])
      #expect(even.with(\.b, 5)[OverKey.self] !== even[OverKey.self])
    }
    let later = scope.with(\.a, 3)
    _ = later.choosing
    #expect(later.with(\.b, 5)[OverKey.self] === later[OverKey.self])
  }

  @Test("an instance is read in a scope that an environment's own overrides mark")
  func marked() {
    let environment = scope.run { Marked().overriding { $0.a = 10 } }
    #expect(environment.scope.sharedClient.text == "10 nobody")
    #expect(environment.scope.sharedClient === environment.scope.with(\.b, 1).sharedClient)
    #expect(
      environment.scope.run { DependencyScope.current.sharedClient }
        === environment.scope.sharedClient)
    let other = environment.overriding { $0.b = 7 }
    #expect(other.scope.sharedClient === environment.scope.sharedClient)
  }
}

private struct Marked: ScopeCapturing {
  let scope = DependencyScope.current

  func overriding(_ update: (inout Dependencies) -> Void) -> Self {
    recreated(fileID: #fileID, line: #line, overriding: update)
  }
}
