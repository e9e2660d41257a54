import ComposableDependencies
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Boundaries: the ways across")
struct WaysAcrossBoundariesTests {
  fileprivate static var a: Int { DependencyScope.current.a }
  private let here = Crossing.here
  private let elsewhere = Crossing.elsewhere

  @Test("a detached task and its children stay in the given scope across suspensions")
  func detached() async throws {
    let values = await Task.detached(in: here) {
      async let child = Self.a
      await Task.yield()
      return [Self.a, await child]
    }.value
    #expect(values == [10, 10])
    let throwing = Task.detached(in: here) { () throws -> Int in
      try Task.checkCancellation()
      return Self.a
    }
    #expect(try await throwing.value == 10)
  }

  @available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
  @Test("an immediate detached task enters a scope before it suspends")
  func immediateDetached() async throws {
    let (here, values) = (here, Values())
    let task = Task.immediateDetached {
      await here.run {
        values.add(Self.a)
        await Task.yield()
        values.add(Self.a)
      }
    }
    #expect(values.all.first == 10)
    await task.value
    #expect(values.all == [10, 10])
  }

  @Test("a scoped sequence runs its closures in its scope, and its consumer stays in its own")
  func scopedSequences() async throws {
    let scope = here
    let left = Mutex(2)
    let unfolding = AsyncStream<Int> {
      left.withLock { left in
        left -= 1
        return left < 0 ? nil : Self.a
      }
    }.scoped(to: scope)
    let operators = AsyncStream<Int> {
      $0.yield(1)
      $0.finish()
    }.filter { _ in Self.a == 10 }.map { _ in Self.a }.scoped(to: scope)
    try await elsewhere.run { () async throws in
      for await value in unfolding { #expect((value, Self.a) == (10, 99)) }
      var count = 0
      for try await value in operators {
        count += 1
        #expect((value, Self.a) == (10, 99))
      }
      #expect(count == 1)
    }
    #expect(left.withLock { $0 } == -1)
  }

  @Test("a detached task in a scope has the given name and priority")
  func detachedTasksKeepTheirName() async throws {
    let task = Task.detached(name: "audit", priority: .low, in: here) {
      (Task.name, Task.basePriority)
    }
    #expect(await task.value == ("audit", .low))
    let throwing = Task.detached(name: "audit", priority: .low, in: here) {
      try Task.checkCancellation()
      return (Task.name, Task.basePriority)
    }
    #expect(try await throwing.value == ("audit", .low))
  }

  @Test("a scoped sequence creates its iterator in its scope")
  func scopedIteratorsAreMadeInTheScope() async {
    struct Sequence: AsyncSequence {
      struct Iterator: AsyncIteratorProtocol {
        var rest: [Int]
        mutating func next() async -> Int? { rest.popLast() }
      }
      func makeAsyncIterator() -> Iterator { Iterator(rest: [DependencyScope.current.a]) }
    }
    var values: [Int] = []
    for await value in Sequence().scoped(to: here) { values.append(value) }
    #expect(values == [10])
  }

  @Test("a scoped sequence runs its iterator in its scope, whichever form of `next` is called")
  func nextInScope() async {
    struct Sequence: AsyncSequence {
      struct Iterator: AsyncIteratorProtocol {
        mutating func next() async -> Int? { WaysAcrossBoundariesTests.a }
      }
      func makeAsyncIterator() -> Iterator { Iterator() }
    }
    var iterator = Sequence().scoped(to: here).makeAsyncIterator()
    #expect(await iterator.next() == 10)
    #expect(await iterator.next(isolation: #isolation) == 10)
  }

  @MainActor
  @Test("a scoped sequence passes its consumer's actor on")
  func scopedSequencesStayOnTheActor() async {
    struct Sequence: AsyncSequence {
      struct Iterator: AsyncIteratorProtocol {
        mutating func next() async -> Bool? { nil }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Bool? {
          actor === MainActor.shared
        }
      }
      func makeAsyncIterator() -> Iterator { Iterator() }
    }
    var iterator = Sequence().scoped(to: here).makeAsyncIterator()
    #expect(await iterator.next() == true)
    #expect(await iterator.next(isolation: #isolation) == true)
  }

  @Test("concurrentPerform keeps the scope on the caller's thread and loses it on the others")
  func concurrentPerform() {
    withDependencies {
      $0.a = 10
    } operation: {
      let caller = ObjectIdentifier(Thread.current)
      let (onCaller, onOthers) = (Values(), Values())
      DispatchQueue.concurrentPerform(iterations: 64) { _ in
        let isCaller = ObjectIdentifier(Thread.current) == caller
        (isCaller ? onCaller : onOthers).add(Self.a)
      }
      #expect(onCaller.all.allSatisfy { $0 == 10 })
      #expect(onOthers.all.allSatisfy { $0 == 1 })
      #expect(onCaller.all.count + onOthers.all.count == 64)
    }
  }

  @Test("a closure of the main actor that enters a scope stays on it, and reads that scope")
  func mainActor() async throws {
    let (here, counter) = (here, Counter())
    let synchronous = { @MainActor @Sendable in here.run { counter.count += Self.a } }
    let asynchronous = { @MainActor @Sendable (by: Int) async throws -> Int in
      try await here.run {
        await Task.yield()
        try Task.checkCancellation()
        counter.count += by * Self.a
        return counter.count
      }
    }
    let total = try await Task.detached {
      await synchronous()
      return try await asynchronous(1)
    }.value
    #expect(total == 20)
  }

  @MainActor
  private final class Counter {
    nonisolated init() {}
    var count = 0
  }
}
