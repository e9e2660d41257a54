import Environments
import ComposableDependencies
import ComposableResources
import DependencyDebugging
import Foundation
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
      let (firsts, names) = ((0..<20).map { scope.with(\.one, $0) }, ["x", "y", "z"])
      let scopes = firsts.flatMap { first in names.map { first.with(\.name, $0) } }
      let clients = scopes.map(\.sharedClient)
      #expect(Set(clients.map { ObjectIdentifier($0) }).count == 60)
      #expect(clients.map(\.text) == (0..<20).flatMap { a in names.map { "\(a) \($0)" } })
      #expect(zip(scopes, clients).allSatisfy { $0.with(\.three, 1).sharedClient === $1 })
      #expect(counters.made.count == 60)
    }
  }

  @Test("rule 11: in `make`, a default reads what is overridden around the read")
  func overridesInMake() {
    enum BaseKey: DependencyKey { static var defaultValue: Int { 1 } }
    enum DoubleKey: DependencyKey {
      static var defaultValue: Int { DependencyScope.current[BaseKey.self] * 2 }
    }
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> [Int] {
        withDependencies {
          $0[BaseKey.self] = 10
        } operation: {
          [DependencyScope.current[BaseKey.self], DependencyScope.current[DoubleKey.self]]
        }
      }
    }
    // The default itself is read without `needs`.
    _ = issues { #expect(scope[Key.self] == [10, 20]) }
  }

  @Test("rule 35: scopes that began outside any scope have the same instance as code there")
  func outsideAnyScope() async {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> SharedClient { SharedClient("") }
    }
    await Task.detached {
      let client = DependencyScope.current[Key.self]
      withDependencies {
        $0.three = 1
      } operation: {
        #expect(DependencyScope.current[Key.self] === client)
      }
    }.value
  }

  @Test("rule 35: threads that ask first at the same time all get the one instance that is kept")
  func racing() async {
    for _ in 0..<50 {
      let inner = scope.with(\.one, 10)
      let gate = Gate()
      let clients = await withTaskGroup { group in
        for index in 0..<8 {
          group.addTask {
            await gate.wait()
            return inner.with(\.two, index).sharedClient
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
      static func make(_ needs: SharedInputs) -> SharedClient {
        _ = needs[\.one]
        Key.meanwhile?.run()
        return Counters.client("")
      }
    }
    let (counters, inner) = (Counters(), scope.with(\.one, 1))
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

  @Test("a value that is set while it is made from the one before is not kept")
  func setMeanwhile() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> SharedClient {
        let client = Counters.client("\(needs[\.one])")
        Dependencies.setGlobally { $0.one = 7 }
        return client
      }
    }
    let counters = Counters()
    Counters.$current.withValue(counters) {
      #expect(scope[Key.self].text == "1")
      #expect(counters.alive.count == 0)
      #expect(scope[Key.self].text == "7")
    }
  }

  #if !DEBUG  // A debug build looks for cycles of defaults.
    @Test(
      "reading an instance that is made allocates nothing", .enabled(if: Allocations.areCounted))
    func cost() {
      let inner = scope.with(\.one, 10).with(\.name, "x")
      inner.run {
        // The first round makes them; the second is the first that finds them, by code whose generic
        // metadata the runtime may still have to make.
        func read() {
          let scope = DependencyScope.current
          _ = (scope.sharedClient, scope.outer, scope.lonely)
          _ = (ClientKey.defaultValue, OuterKey.defaultValue, LonelyKey.defaultValue)
        }
        for _ in 0..<2 { read() }
        #expect(Allocations { for _ in 0..<100 { read() } } == Allocations {})
      }
    }
  #endif

  @Test("`make` may ask on several threads, and what it asks for there is an input")
  func askingOnThreads() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> SharedClient {
        let sum = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
          let value = index % 2 == 0 ? needs[\.one] : needs[\.two]
          sum.withLock { $0 += value }
        }
        return SharedClient("\(sum.withLock { $0 })")
      }
    }
    let scope = scope.with(\.one, 10).with(\.two, 1)
    for _ in 0..<20 {
      #expect(scope[Key.self].text == "44")
      #expect(scope[Key.self] === scope.with(\.three, 1)[Key.self])
      #expect(scope.with(\.one, 20)[Key.self].text == "84")
      #expect(scope.with(\.two, 2)[Key.self].text == "48")
    }
  }

  @Test("instances are made, found and freed on several threads at once")
  func turmoil() async {
    let counters = Counters()
    await Counters.$current.withValue(counters) {
      let store = DependencyScope.isolated()
      let outer = store.with(\.name, "x")
      await withTaskGroup { group in
        for number in 0..<4 {
          group.addTask {
            for round in 0..<200 {
              let own = outer.with(\.one, round)
              #expect(own.sharedClient.text == "\(round) x")
              #expect(own.with(\.two, number).outer.text == "\(number) and \(round) x")
              #expect(outer.lonely === store.lonely)
              #expect(store.sharedClient.text.hasSuffix("nobody"))
              if number == 0, round % 10 == 0 { store.setGlobally(\.one, round) }
            }
          }
        }
      }
      #expect(outer.sharedClient.text == "190 x")
    }
    #expect(counters.alive.count == 0)
  }

  @Test("looking for an instance of another shared key reads no more than that was made from")
  func inputsOfOtherCandidates() {
    enum OverKey: SharedKey {
      static func make(_ needs: SharedInputs) -> SharedClient {
        SharedClient(needs[\.choosing].text)
      }
    }
    let (odd, even) = (scope.with(\.one, 1), scope.with(\.one, 2))
    for first in [[odd, even], [even, odd]] {
      for scope in first { _ = scope.choosing }
      #expect(odd.with(\.two, 5)[OverKey.self] === odd[OverKey.self])
      #expect(even.with(\.two, 5)[OverKey.self] !== even[OverKey.self])
    }
    let later = scope.with(\.one, 3)
    _ = later.choosing
    #expect(later.with(\.two, 5)[OverKey.self] === later[OverKey.self])
  }

  @Test("rule 35: an instance is made anew if an input of its input is set while that is read")
  func setBehindAnotherInstance() {
    enum InnerKey: SharedKey {
      static func make(_ needs: SharedInputs) -> [Int] { [needs[\.two], needs[\.one]] }
    }
    enum OuterKey: SharedKey {
      static func make(_ needs: SharedInputs) -> [Int] { needs[InnerKey.self] }
    }
    #expect(scope[InnerKey.self] == [2, 1])
    // The instance of the inner key exists, so a read of it notes its inputs, one after the other.
    let isSet = Atomic(false)
    let end = scope.listenToReads { [scope] read in
      guard "\(read.key)" == "TwoKey", !isSet.exchange(true, ordering: .relaxed) else { return }
      scope.run { Dependencies.setGlobally { $0.one = 10 } }
    }
    #expect(scope[OuterKey.self] == [2, 10])
    end()
    #expect(scope[OuterKey.self] == [2, 10])
  }

  @Test("an instance is read in the scope of an environment with overrides of its own")
  func environments() {
    let environment = scope.run { Named().overriding { $0.one = 10 } }
    #expect(environment.scope.sharedClient.text == "10 nobody")
    #expect(environment.scope.sharedClient === environment.scope.with(\.two, 1).sharedClient)
    #expect(
      environment.scope.run { DependencyScope.current.sharedClient }
        === environment.scope.sharedClient)
    let other = environment.overriding { $0.two = 7 }
    #expect(other.scope.sharedClient === environment.scope.sharedClient)
  }
}
