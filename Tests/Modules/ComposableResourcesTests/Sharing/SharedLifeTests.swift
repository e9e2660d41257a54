import Environments
import ComposableDependencies
import TestSupport
import Testing

@testable import ComposableResources

@Suite("The life of shared instances")
struct SharedLifeTests {
  let counters = Counters()

  private func counting(_ body: () -> Void) {
    Counters.$current.withValue(counters, operation: body)
  }

  @Test("rule 34: an instance is freed with the override that it was made from")
  func freedWithTheOverride() {
    counting {
      let store = DependencyScope.isolated()
      var first: DependencyScope? = store.with(\.one, 10)
      var second: DependencyScope? = first!.with(\.name, "x")
      _ = (first!.sharedClient, second!.sharedClient, store.sharedClient)
      #expect(counters.alive.count == 3)
      second = nil
      #expect(counters.alive.count == 2)
      second = first!.with(\.two, 1)
      first = nil
      #expect(counters.alive.count == 2, "the second still has the override")
      second = nil
      #expect(counters.alive.count == 1)
    }
    #expect(counters.alive.count == 0, "the store is gone")
  }

  @Test("rule 34: an instance of several overrides is freed with the first that goes")
  func freedWithTheFirst() {
    counting {
      let store = DependencyScope.isolated()
      let outer = store.with(\.one, 10)
      for number in 0..<1000 { _ = outer.with(\.name, "\(number)").sharedClient }
      #expect((counters.made.count, counters.alive.count) == (1000, 0))
      // What is the deeper override in one scope may be the outer one in another.
      let name = store.run { Named().overriding { $0.name = "x" } }
      for number in 0..<1000 {
        _ = store.with(\.one, number).run { name.overriding { $0.two = 1 }.scope.sharedClient }
      }
      #expect(counters.alive.count <= 1)
    }
    #expect(counters.alive.count == 0)
  }

  @Test("rule 34: an instance is freed when a global value, a default or an alias changes")
  func freedByTheStore() {
    counting {
      let store = DependencyScope.isolated()
      let changes: [() -> Void] = [
        { store.setGlobally(\.one, 7) },
        { store.setGlobally(\.one, 7) },
        { store.run { Dependencies.resetGlobalValues() } },
        { store.alias(\.one, to: \.four, fileID: #fileID, line: #line) },
        { store.setGlobally(\.four, 8) },
        { store.run { Dependencies.clearGlobalAliases() } },
      ]
      for change in changes {
        _ = store.sharedClient
        store.setGlobally(\.three, 9)
        #expect(counters.alive.count == 1)
        change()
        #expect(counters.alive.count == 0)
      }
    }
  }

  @Test("rule 34: an instance is freed by a change, even if other aliases have changed before")
  func freedAfterOthers() {
    counting {
      let store = DependencyScope.isolated()
      _ = store.sharedClient
      store.alias(\.three, to: \.four, fileID: #fileID, line: #line)
      #expect(counters.alive.count == 1)
      store.setGlobally(\.one, 7)
      #expect(counters.alive.count == 0)
    }
  }

  @Test("rule 34: an instance stays if its inputs have the same values as before")
  func stays() {
    counting {
      let store = DependencyScope.isolated()
      store.setGlobally(\.one, 7)
      let (client, choosing) = (store.sharedClient, store.with(\.one, 2).choosing)
      store.alias(\.three, to: \.four, fileID: #fileID, line: #line)
      store.setGlobally(\.four, 8)
      store.run { Dependencies.clearGlobalAliases() }
      #expect(store.sharedClient === client)
      let lonely = store.lonely
      store.run { Dependencies.resetGlobalValues() }
      #expect(store.lonely === lonely)
      withExtendedLifetime(choosing) {}
      #expect(counters.made.count == 3)
    }
  }

  @Test("rule 34: what an instance captured doesn't keep the overrides that own it")
  func capturing() {
    counting {
      let store = DependencyScope.isolated()
      for number in 0..<100 { _ = store.with(\.one, number)[CapturingKey.self] }
      #expect((counters.made.count, counters.alive.count) == (100, 0))
      _ = store[CapturingKey.self]
      #expect(counters.alive.count == 1)
    }
    #expect(counters.alive.count == 0)
  }

  @Test(
    "making instances leaves no block of memory behind", .enabled(if: Allocations.areCounted))
  func memory() {
    func use() {
      let store = DependencyScope.isolated()
      let scope = store.with(\.one, 10)
      // As many at once as make the lists of instances grow.
      let many = (0..<50).map { scope.with(\.name, "\($0)") }
      for inner in many { _ = (inner.sharedClient, inner.outer) }
      for number in 0..<50 {
        let inner = scope.with(\.name, "\(number)")
        _ = (
          inner.sharedClient, inner.outer, inner.choosing, inner.lonely
        )
        store.setGlobally(\.two, number)
      }
    }
    use()
    #expect(Allocations { use() }.remaining == 0)
  }

  @Test(
    "an override keeps no memory of the instances that were made from it and are freed",
    .enabled(if: Allocations.areCounted))
  func memoryOfOneOverride() {
    let scope = DependencyScope.isolated().with(\.one, 10)
    func blocks(after count: Int) -> Int {
      Allocations {
        for number in 0..<count { _ = scope.with(\.name, "\(number)").sharedClient }
      }.remaining
    }
    _ = blocks(after: 100)
    #expect(blocks(after: 2_000) < 200)
  }

  @Test(
    "a store keeps no memory of inputs whose global value has changed, once their override is freed",
    .enabled(if: Allocations.areCounted))
  func memoryOfChangedInputs() {
    let store = DependencyScope.isolated()
    func blocks(after count: Int) -> Int {
      Allocations {
        for number in 0..<count {
          let scope = store.with(\.one, number)
          _ = scope.sharedClient
          store.setGlobally(\.name, "\(number)")
        }
      }.remaining
    }
    _ = blocks(after: 100)
    #expect(blocks(after: 2_000) < 200)
  }

  @Test("an input that is set globally can read shared keys in its deinit, whatever frees it")
  func readingInDeinitOfInput() {
    let store = DependencyScope.isolated()
    ReadingKey.$store.withValue(store) {
      store.setGlobally(\.input, Reading())
      _ = store[InputKey.self]
      weak let input = store.input
      #expect(input != nil)
      store.setGlobally(\.input, nil)
      #expect(input == nil)
      #expect(store[InputKey.self].text == "made")
    }
  }

  @Test("a source that only a change knows is freed after it, too")
  func sourceOfChange() {
    let store = DependencyScope.isolated()
    let reads = [Read(OneKey.self, from: .defaultValue(of: OneKey.self), in: nil)]
    let instances = SharedInstances()
    _ = instances.keep(.make(LonelyKey.self, SharedClient("")), from: reads, in: store)
    let isFreed = Counter()
    instances.keysDidChange([ObjectIdentifier(OneKey.self)]) { _ in
      .global(
        .make(
          OneKey.self,
          OnDeinit {
            _ = isFreed.next()
            _ = instances.find(LonelyKey.self, in: store) { _ in }
          }))
    }
    #expect(isFreed.count == 1)
  }

  @Test("an instance can read shared keys in its deinit, whatever frees it")
  func readingInDeinit() {
    let store = DependencyScope.isolated()
    ReadingKey.$store.withValue(store) { readInDeinit(over: store) }
  }

  private func readInDeinit(over store: DependencyScope) {
    var scope: DependencyScope? = store.with(\.one, 10).with(\.name, "x")
    weak let instance = scope![ReadingKey.self]
    #expect(instance != nil)
    scope = nil
    #expect(instance == nil)
    let changes: [() -> Void] = [
      { store.setGlobally(\.one, 7) },
      { store.run { Dependencies.resetGlobalValues() } },
      { store.alias(\.one, to: \.four, fileID: #fileID, line: #line) },
      { store.run { Dependencies.clearGlobalAliases() } },
    ]
    for change in changes {
      weak let instance = store[ReadingKey.self]
      #expect(instance != nil)
      change()
      #expect(instance == nil)
    }
    #expect(store.sharedClient.text == "1 nobody")
  }
}

/// What captures the scopes of `make`, and of the default of an input.
private struct Captured: Sendable {
  let client: SharedClient
  let needs: SharedInputs
  let config: Config
  let dependency = Dependency(\.name)
}

private struct Config: Sendable {
  @Dependency(\.two) var two
}

private enum ConfigKey: DependencyKey { static var defaultValue: Config { Config() } }

private enum CapturingKey: SharedKey {
  static func make(_ needs: SharedInputs) -> Captured {
    Captured(
      client: Counters.client("\(needs[\.one])"), needs: needs, config: needs[ConfigKey.self])
  }
}

/// Makes instances over its store when it is freed.
private final class Reading: Sendable {
  private let store = ReadingKey.store
  deinit { _ = store.with(\.one, 20).sharedClient }
}

/// Runs a function when it is freed.
private final class OnDeinit: Sendable {
  private let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  deinit { run() }
}

private enum InputKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient {
    _ = needs[\.input]
    return SharedClient("made")
  }
}

private enum ReadInputKey: DependencyKey { static var defaultValue: Reading? { nil } }

extension Dependencies {
  fileprivate var input: Reading? {
    get { self[ReadInputKey.self] }
    set { self[ReadInputKey.self] = newValue }
  }
}

private enum ReadingKey: SharedKey {
  @TaskLocal static var store = DependencyScope.root

  static func make(_ needs: SharedInputs) -> Reading {
    _ = (needs[\.one], needs[\.name])
    return Reading()
  }
}
