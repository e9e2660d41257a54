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
