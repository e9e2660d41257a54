import ComposableDependencies
import TestSupport
import Testing

@Suite("Carrying a scope")
struct BindingTests {
  private struct Failure: Error {}
  private let scope = DependencyScope.root.with(\.a, 10)

  @Test("rule 7: a bound closure reads its scope, regardless of its caller")
  func boundClosures() {
    let nothing = scope.bind { DependencyScope.current.a }
    let some = scope.bind { (x: Int, y: String) in "\(DependencyScope.current.a + x)\(y)" }
    let throwing = scope.bind { (x: Int) throws in
      guard x > 0 else { throw Failure() }
      return DependencyScope.current.a * x
    }
    withDependencies {
      $0.a = 99
    } operation: {
      #expect(nothing() == 10)
      #expect(some(1, "!") == "11!")
      #expect((try? throwing(3)) == 30)
      #expect(throws: Failure.self) { try throwing(0) }
      #expect(DependencyScope.current.a == 99)
    }
  }

  @Test("a closure that isn't sendable can be bound")
  func closureThatIsNotSendable() {
    var total = 0
    let add: (Int) -> Void = { total += DependencyScope.current.a + $0 }
    let bound = scope.bind(add)
    bound(1)
    bound(2)
    #expect(total == 23)
  }

  @Test("a detached task and its children stay in the given scope, with its name and priority")
  func detachedTasks() async throws {
    let values = await Task.detached(in: scope) {
      async let child = DependencyScope.current.a
      await Task.yield()
      return [DependencyScope.current.a, await child]
    }.value
    #expect(values == [10, 10])
    let named = Task.detached(name: "audit", priority: .low, in: scope) {
      (Task.name, Task.basePriority)
    }
    #expect(await named.value == ("audit", .low))
    let throwing = Task.detached(name: "audit", priority: .low, in: scope) {
      try Task.checkCancellation()
      return (Task.name, Task.basePriority, DependencyScope.current.a)
    }
    #expect(try await throwing.value == ("audit", .low, 10))
  }

  @Test("a scoped sequence throws its base's errors, and is sendable if its base is")
  func scopedSequenceTypes() async {
    let stream = AsyncStream<Int> { $0.finish() }
    let throwing = AsyncThrowingStream<Int, any Error> { throw Failure() }
    let scoped: any AsyncSequence<Int, Never> & Sendable = stream.scoped(to: scope)
    let scopedThrowing: any AsyncSequence<Int, any Error> & Sendable = throwing.scoped(to: scope)
    await Task.detached {
      for await _ in scoped {}
      await #expect(throws: Failure.self) { for try await _ in scopedThrowing {} }
    }.value
  }

  @Test("a scoped sequence creates and runs its iterator in its scope, in both forms of `next`")
  func iteratorsInTheScope() async {
    struct Sequence: AsyncSequence {
      struct Iterator: AsyncIteratorProtocol {
        let created: Int
        mutating func next() async -> [Int]? { [created, DependencyScope.current.a] }
      }
      func makeAsyncIterator() -> Iterator { Iterator(created: DependencyScope.current.a) }
    }
    var iterator = Sequence().scoped(to: scope).makeAsyncIterator()
    #expect(await iterator.next() == [10, 10])
    #expect(await iterator.next(isolation: #isolation) == [10, 10])
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
    var iterator = Sequence().scoped(to: scope).makeAsyncIterator()
    #expect(await iterator.next() == true)
    #expect(await iterator.next(isolation: #isolation) == true)
  }
}
