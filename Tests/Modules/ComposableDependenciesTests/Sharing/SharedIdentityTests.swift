import Environments
import ComposableDependencies
import Foundation
import Synchronization
import TestSupport
import Testing

/// Inputs that no other test reads: what is known of an override depends on whether a shared key has
/// ever read its key.
private enum Input<Tag: Sendable>: DependencyKey {
  static var defaultValue: Int { 0 }
}

/// Made from one of them.
private enum Made<Tag: Sendable>: SharedKey {
  static func make() -> SharedClient {
    Counters.client("\(DependencyScope.current[Input<Tag>.self])")
  }
}

/// An input and what is made from it, whatever its type.
private struct Pair: Sendable {
  let override: @Sendable (DependencyScope, Int) -> DependencyScope
  let instance: @Sendable (DependencyScope) -> SharedClient

  static func many<Tag: Sendable>(_ count: Int, _ tag: Tag.Type) -> [Pair] {
    guard count > 0 else { return [] }
    let pair = Pair(
      override: { scope, value in scope.with { $0[Input<Tag>.self] = value } },
      instance: { $0[Made<Tag>.self] })
    return [pair] + many(count - 1, ManyKeys.Next<Tag>.self)
  }
}

@Suite("Overrides that were copied before a shared key has read them")
struct SharedIdentityTests {
  private let scope = DependencyScope.isolated()

  /// The scope, and those that copies of its overrides are in.
  private func grown(_ scope: DependencyScope) -> [DependencyScope] {
    var all = [scope]
    for member in ManyKeys.first(40) { all.append(all.last!.with(member, 1)) }
    return all
  }

  @Test("rule 34: each stays the same input in all of its copies, in whatever order they are read")
  func severalKeys() {
    enum Tag {}
    let pairs = Pair.many(12, Tag.self)
    var inner = scope
    for (number, pair) in pairs.enumerated() { inner = pair.override(inner, number) }
    let all = grown(inner)
    var clients: [Int: SharedClient] = [:]
    for number in [5, 0, 11, 3, 8, 1, 10, 2, 9, 4, 7, 6] {
      clients[number] = pairs[number].instance(all[number])
      for (known, client) in clients {
        #expect(client.text == "\(known)")
        #expect(all.allSatisfy { pairs[known].instance($0) === client })
      }
    }
  }

  @Test("rule 34: they are the same input, however many others come and go")
  func manyOverrides() {
    enum Tag {}
    let pair = Pair.many(1, Tag.self)[0]
    let counters = Counters()
    Counters.$current.withValue(counters) {
      var all = (0..<200).map { grown(pair.override(scope, $0)) }
      let clients = all.map { pair.instance($0.last!) }
      #expect(clients.map(\.text) == (0..<200).map(String.init))
      #expect(zip(all, clients).allSatisfy { pair.instance($0[0]) === $1 })
      all.removeFirst(150)
      for _ in 0..<200 { _ = pair.instance(grown(pair.override(scope, -1))[20]) }
      #expect(
        zip(all, clients.suffix(50)).allSatisfy { scopes, client in
          scopes.allSatisfy { pair.instance($0) === client }
        })
      #expect(counters.made.count == 400)
    }
    #expect(counters.alive.count == 0)
  }

  @Test("rule 34: they are the same input if several scopes have copied the same override")
  func copiedTwice() {
    enum Tag {}
    let pair = Pair.many(1, Tag.self)[0]
    let base = pair.override(scope, 1)
    let all = grown(base) + grown(base)
    let client = pair.instance(all.last!)
    #expect(all.allSatisfy { pair.instance($0) === client })
  }

  /// Made from one of two inputs, which a third one selects.
  private enum Selected<Tag: Sendable>: SharedKey {
    static func make() -> SharedClient {
      let scope = DependencyScope.current
      return scope[Input<Tag>.self] == 0
        ? Counters.client("first \(scope[Input<[Tag]>.self])")
        : Counters.client("second \(scope[Input<[[Tag]]>.self])")
    }
  }

  @Test("rule 34: one that an instance might have been made from is the same input in its copies")
  func copiedLater() {
    enum Tag {}
    let second = scope.with {
      $0[Input<Tag>.self] = 1
      $0[Input<[[Tag]]>.self] = 7
    }
    let copy = grown(second).last!
    let client = second[Selected<Tag>.self]
    // The runs of `make` that read the other input are known, too, and looked for first.
    _ = scope.with { $0[Input<Tag>.self] = 0 }[Selected<Tag>.self]
    let both = copy.with { $0[Input<[Tag]>.self] = 5 }
    let before = grown(both)
    #expect(both[Selected<Tag>.self] === client)
    let after = grown(both)
    let made = both[Made<[Tag]>.self]
    #expect(made.text == "5")
    #expect((before + after).allSatisfy { $0[Made<[Tag]>.self] === made })
  }

  @Test(
    "overrides that were copied, read and freed leave no memory behind",
    .enabled(if: Allocations.areCounted))
  func memory() async {
    // In a process of its own, because all threads share the list of such overrides.
    await #expect(processExitsWith: .success) {
      enum Tag {}
      let scope = DependencyScope.isolated()
      let pair = Pair.many(1, Tag.self)[0]
      let member = ManyKeys.first(1)[0]
      let blocks = Allocations {
        var scopes: [DependencyScope] = []
        for number in 0..<3_000 {
          // Copied while no shared key has read it.
          let base = pair.override(scope, number)
          scopes += [base, (0..<8).reduce(base) { $0.with(member, $1) }]
        }
        while let scope = scopes.popLast() { _ = pair.instance(scope) }
      }.remaining
      precondition(blocks < 1_500)
    }
  }

  @Test("rule 34: threads that read copies of an override first get the same instance")
  func racing() async {
    enum Tag {}
    for pair in Pair.many(60, Tag.self) {
      let all = grown(pair.override(scope, 1))
      let gate = Gate()
      let clients = await withTaskGroup { group in
        for index in 0..<4 {
          group.addTask {
            await gate.wait()
            return pair.instance(all[index * 10])
          }
        }
        await gate.waitForArrivals(4)
        gate.open()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(clients.allSatisfy { $0 === clients[0] })
    }
  }

  @Test("rule 34: threads that copy an override which another reads keep it the same input")
  func copyingWhileReading() async {
    enum Tag {}
    for pair in Pair.many(40, Tag.self) {
      let base = pair.override(scope, 1)
      let gate = Gate()
      // Keep each scope that was read, because the instance may go with the one that is read first.
      let read = await withTaskGroup { group in
        for index in 0..<4 {
          group.addTask {
            await gate.wait()
            let scope = index % 2 == 0 ? base : grown(base)[20]
            return (client: pair.instance(scope), scope: scope)
          }
        }
        await gate.waitForArrivals(4)
        gate.open()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(read.allSatisfy { $0.client === read[0].client })
    }
  }
}

private struct Named: ScopeCapturing {
  let scope = DependencyScope.current

  func overriding(_ update: (inout Dependencies) -> Void) -> Self {
    recreated(fileID: #fileID, line: #line, overriding: update)
  }
}

private struct Parent: ScopeCapturing {
  let scope = DependencyScope.current
  @DerivedEnvironment var child = Named()
}

private enum EarlyKey: DependencyKey { static var defaultValue: Int { 0 } }
private enum LateKey: DependencyKey { static var defaultValue: Int { 0 } }

private enum AliasedKey: SharedKey {
  static func make() -> SharedClient { Counters.client("\(DependencyScope.current.early)") }
}

extension Dependencies {
  fileprivate var early: Int {
    get { self[EarlyKey.self] }
    set { self[EarlyKey.self] = newValue }
  }

  fileprivate var late: Int {
    get { self[LateKey.self] }
    set { self[LateKey.self] = newValue }
  }
}

@Suite("Shared keys on several threads")
struct SharedThreadsTests {
  @Test("`make` may read on several threads, and what it reads there is an input")
  func readingOnThreads() {
    enum Key: SharedKey {
      static func make() -> SharedClient {
        let scope = DependencyScope.current
        let sum = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
          let value = index % 2 == 0 ? scope.a : scope.b
          sum.withLock { $0 += value }
        }
        return SharedClient("\(sum.withLock { $0 })")
      }
    }
    let scope = DependencyScope.isolated().with(\.a, 10).with(\.b, 1)
    for _ in 0..<20 {
      #expect(scope[Key.self].text == "44")
      #expect(scope[Key.self] === scope.with(\.c, 1)[Key.self])
      #expect(scope.with(\.a, 20)[Key.self].text == "84")
      #expect(scope.with(\.b, 2)[Key.self].text == "48")
    }
  }

  @Test("a thread that `make` started reads its inputs, then and later")
  func readingOnWhileSealed() async {
    final class Reading: Sendable {
      let task: Task<Bool, Never>
      init(_ task: Task<Bool, Never>) { self.task = task }
    }
    enum Key: SharedKey {
      static func make() -> Reading {
        let scope = DependencyScope.current
        _ = (scope.a, scope.b, scope.sharedClient)
        return Reading(
          Task.detached {
            (0..<500).allSatisfy { _ in
              scope.a == 10 && scope.b == 20 && scope.sharedClient.text == "10 nobody"
            }
          })
      }
    }
    for _ in 0..<20 {
      let reading = DependencyScope.isolated().with(\.a, 10).with(\.b, 20)[Key.self]
      #expect(await reading.task.value)
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
              let own = outer.with(\.a, round)
              #expect(own.sharedClient.text == "\(round) x")
              #expect(own.with(\.b, number).outer.text == "\(number) and \(round) x")
              #expect(outer.lonely === store.lonely)
              #expect(store.sharedClient.text.hasSuffix("nobody"))
              if number == 0, round % 10 == 0 { store.setGlobally(\.a, round) }
            }
          }
        }
      }
      #expect(outer.sharedClient.text == "190 x")
    }
    #expect(counters.alive.count == 0)
  }
}
