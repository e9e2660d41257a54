import ComposableDependencies
import TestSupport
import Testing

@testable import ComposableResources

/// Races that no test of the public functions can arrange.
@Suite("What the graph of resources decides")
struct ResourceGraphTests {
  private enum NameOfFirst: Name { static var name: String { "First" } }
  private enum NameOfSecond: Name { static var name: String { "Second" } }
  private typealias First = Resource<NameOfFirst>
  private typealias Second = Resource<NameOfSecond>
  private typealias OpenedResource = ComposableResources.Resource
  private struct Failed: Error {}

  private let lifetime = Lifetime(fileID: #fileID, line: #line)

  private func begin(
    _ key: any ResourceKey.Type, in other: Lifetime? = nil, for asker: OpenedResource? = nil
  ) throws -> OpenedResource {
    let answer = try ResourceGraph.update {
      try $0.ask(
        [key], opening: key, in: other ?? lifetime, until: nil, for: asker, mayOpen: true,
        isCancelled: false)
    }
    guard case .start(let resource, nil) = answer else { throw Failed() }
    return resource
  }

  /// Returns a waiter, unless it need not or must not wait.
  private func wait(_ asker: OpenedResource, for resource: OpenedResource) async -> Waiter? {
    let continuation = await continuation()
    let waiter = Waiter(asker: asker)
    let result = ResourceGraph.update {
      $0.wait(for: resource, waiter, continuation, isCancelled: false)
    }
    continuation.resume(throwing: Failed())
    return result == nil ? waiter : nil
  }

  /// A continuation that the caller must resume.
  private func continuation() async -> CheckedContinuation<Override, any Error> {
    await withCheckedContinuation { result in
      Task {
        _ = try? await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Override, any Error>) in
          result.resume(returning: continuation)
        }
      }
    }
  }

  @Test("an operation is cancelled as soon as its task is known, and not after its end")
  func cancelledBeforeItsTask() {
    let task = Task {}
    #expect(ResourceGraph.update { $0.beginOperating(lifetime, isCancelled: false) } != nil)
    #expect(ResourceGraph.update { $0[lifetime].cancelOperation() } == nil)
    #expect(ResourceGraph.update { $0.beginOperation(task, of: lifetime) } == task)
    let other = Lifetime(fileID: #fileID, line: #line)
    #expect(ResourceGraph.update { $0.beginOperating(other, isCancelled: false) } != nil)
    #expect(ResourceGraph.update { $0.beginOperation(task, of: other) } == nil)
    #expect(ResourceGraph.update { $0[other].cancelOperation() } == task)
    #expect(ResourceGraph.update { $0.endOperation(of: other) }.isCancelled)
    #expect(ResourceGraph.update { $0[other].cancelOperation() } == nil)
  }

  @Test("a resource no longer waits for one that has opened, or that it doesn't want any more")
  func waitsEnd() async throws {
    let (first, second) = try (begin(First.self), begin(Second.self))
    let waiter = try #require(await wait(first, for: second))
    #expect(ResourceGraph.update { $0.cancel(waiter, for: second) })
    #expect(!ResourceGraph.update { $0.cancel(waiter, for: second) })
    #expect(await wait(first, for: second) != nil)
    #expect(ResourceGraph.update { $0.didOpen(second, .make(Second.self, "")).waiters }.count == 1)
    // So this closes no cycle.
    #expect(await wait(second, for: first) != nil)
    #expect(ResourceGraph.update { $0.didFail(first, Failed()) }.count == 1)
  }

  @Test("rule 32: a cycle is found even if code of a failed attempt has waited for the same")
  func staleWait() async throws {
    let (failed, second) = try (begin(First.self), begin(Second.self))
    let stale = try #require(await wait(failed, for: second))
    #expect(ResourceGraph.update { $0.didFail(failed, Failed()) }.isEmpty)
    let first = try begin(First.self)
    #expect(await wait(first, for: second) != nil)
    #expect(ResourceGraph.update { $0.cancel(stale, for: second) })
    #expect(await wait(second, for: first) == nil)
  }

  @Test("a task that starts while its lifetime closes is cancelled, unless its resource is open")
  func startedWhileClosing() throws {
    let (resource, open) = try (begin(First.self), begin(Second.self))
    let task = Task {}
    #expect(!ResourceGraph.update { $0.didStart(resource, task) })
    _ = ResourceGraph.update { $0.didOpen(open, .make(Second.self, "")) }
    #expect(ResourceGraph.update { $0.beginClosing(lifetime) } == [task])
    #expect(!ResourceGraph.update { $0.didStart(open, task) })
    #expect(ResourceGraph.update { $0.didStart(resource, task) })
    #expect(ResourceGraph.update { $0.didFail(resource, Failed()) }.isEmpty)
    #expect(!ResourceGraph.update { $0.didStart(resource, task) })
  }

  @Test("rule 27: a lifetime that closes cancels its own openings, and refuses what others ask for")
  func askedWhileClosing() throws {
    let opening = try begin(First.self)
    _ = ResourceGraph.update { $0.beginClosing(lifetime) }
    #expect(throws: CancellationError.self) { try begin(Second.self, for: opening) }
    let other = Lifetime(fileID: #fileID, line: #line)
    for asker in [nil, try begin(First.self, in: other)] {
      #expect(throws: ResourceError.self) { try begin(Second.self, for: asker) }
    }
  }

  @Test("rule 26: a resource stays open for one that found it open just before waiting for it")
  func openedBeforeWaiting() async throws {
    let needed = try begin(First.self)
    _ = ResourceGraph.update { $0.didOpen(needed, .make(First.self, "")) }
    let opening = try begin(Second.self, in: Lifetime(fileID: #fileID, line: #line))
    #expect(ResourceGraph.update { $0[lifetime].isNextClosable })
    #expect(await wait(opening, for: needed) == nil)
    #expect(!ResourceGraph.update { $0[lifetime].isNextClosable })
    #expect(ResourceGraph.update { $0[lifetime].closingStep?.key } == First.self)
    _ = ResourceGraph.update { $0.didFail(opening, Failed()) }
    #expect(ResourceGraph.update { $0[lifetime].closingStep?.key } == nil)
    #expect(ResourceGraph.update { $0[lifetime].isNextClosable })
  }

  @Test("rule 30: a lifetime throws the first error of its resources, and only while it operates")
  func firstError() throws {
    let resources = try [begin(First.self), begin(Second.self)]
    for resource in resources {
      _ = ResourceGraph.update { $0.didOpen(resource, .make(resource.key, "")) }
    }
    #expect(ResourceGraph.update { $0.beginOperating(lifetime, isCancelled: false) } != nil)
    #expect(ResourceGraph.update { $0.didFailToRun(resources[0], Failed()) }.isThrown)
    #expect(!ResourceGraph.update { $0.didFailToRun(resources[1], CancellationError()) }.isThrown)
    #expect(ResourceGraph.update { $0[lifetime].failure } is Failed)
    let other = Lifetime(fileID: #fileID, line: #line)
    let late = try begin(First.self, in: other)
    _ = ResourceGraph.update { $0.didOpen(late, .make(First.self, "")) }
    _ = ResourceGraph.update { $0.beginClosing(other) }
    #expect(!ResourceGraph.update { $0.didFailToRun(late, Failed()) }.isThrown)
    #expect(ResourceGraph.update { $0[other].failure } == nil)
  }

  @Test("an operation of a canceled caller doesn't begin, and nothing opens once one has returned")
  func boundsOfOperation() {
    #expect(ResourceGraph.update { $0.beginOperating(lifetime, isCancelled: true) } == nil)
    #expect(ResourceGraph.update { $0[lifetime].failure } is CancellationError)
    let other = Lifetime(fileID: #fileID, line: #line)
    #expect(ResourceGraph.update { $0.beginOperating(other, isCancelled: false) } != nil)
    _ = ResourceGraph.update { $0.endOperation(of: other) }
    #expect(throws: ResourceError.self) { try begin(First.self, in: other) }
  }

  @Test("a task that begins to wait for an opening that has just failed gets its error")
  func failedBeforeWaiting() async throws {
    let failed = try begin(First.self)
    _ = ResourceGraph.update { $0.didFail(failed, Failed()) }
    let (continuation, waiter) = (await continuation(), Waiter(asker: nil))
    let result = ResourceGraph.update {
      $0.wait(for: failed, waiter, continuation, isCancelled: false)
    }
    continuation.resume(throwing: CancellationError())
    #expect(throws: Failed.self) { try result?.get() }
  }

  @Test("rule 32: the error of a cycle has only what is on it, and a need that two share is none")
  func sharedNeed() async throws {
    let root = try begin(First.self)
    let (other, left, right) = try (begin(A.self), begin(B.self), begin(C.self))
    let (shared, asker) = try (begin(D.self), begin(Second.self))
    for (waiting, needed) in [
      (root, other), (root, left), (root, right), (left, shared), (right, shared), (asker, root),
    ] {
      #expect(await wait(waiting, for: needed) != nil)
    }
    let continuation = await continuation()
    let result = ResourceGraph.update {
      $0.wait(for: asker, Waiter(asker: shared), continuation, isCancelled: false)
    }
    continuation.resume(throwing: Failed())
    let error = #expect(throws: ResourceError.self) { try result?.get() }
    guard case .cycle(let keys)? = error else { throw Failed() }
    let path: [any ResourceKey.Type] = [D.self, Second.self, First.self, B.self, D.self]
    #expect(keys.map { ObjectIdentifier($0) } == path.map { ObjectIdentifier($0) })
  }

  @Test("rule 27: while a lifetime closes, only code of its own resources still gets what is open")
  func askedForOpenWhileClosing() throws {
    let resources = try [begin(First.self), begin(Second.self)]
    for resource in resources {
      _ = ResourceGraph.update { $0.didOpen(resource, .make(resource.key, "")) }
    }
    _ = ResourceGraph.update { $0.beginClosing(lifetime) }
    func ask(_ asker: OpenedResource?) throws -> ResourceGraph.Answer {
      try ResourceGraph.update {
        try $0.ask(
          [First.self], opening: First.self, in: lifetime, until: nil, for: asker, mayOpen: true,
          isCancelled: false)
      }
    }
    guard case .open = try ask(resources[1]) else { throw Failed() }
    #expect(throws: ResourceError.self) { _ = try ask(nil) }
  }

  private static let alive = AliveCounter()
  private enum Counted: ResourceKey {
    static var defaultValue: Tracked? { nil }
    static func open(_ needs: ResourceOpening) async throws -> Tracked? { Tracked(alive) }
    static func close(_ value: Tracked?) async {}
  }

  @Test("a lifetime that has ended keeps nothing that it opened, and is freed with its last scope")
  func ended() async throws {
    /// Lets the tasks of the resources end, which may still have what a condition is about.
    func becomes(_ condition: @autoclosure () -> Bool) async -> Bool {
      for _ in 0..<100_000 where !condition() { await Task.yield() }
      return condition()
    }
    var scope = try await DependencyScope.isolated().with(\.opensResourcesInTests, true).run {
      try await withResources(First.self) {
        try await withResources(Second.self) {
          _ = try await DependencyScope.current.open(Counted.self)
          return DependencyScope.current
        }
      } as DependencyScope?
    }
    weak let lifetime = scope?[LifetimeKey.self]?.lifetime
    weak let outer = lifetime?.outer?.lifetime
    #expect(outer != nil)
    #expect(await becomes(Self.alive.count == 0))
    scope = nil
    #expect(await becomes(lifetime == nil && outer == nil))
  }

  private enum ErrorsKey: DependencyKey {
    static var defaultValue: AliveCounter { AliveCounter() }
  }

  private final class ScopedError: Error {
    let scope = DependencyScope.current
    let tracked = Tracked(DependencyScope.current[ErrorsKey.self])
  }

  private enum FailingToOpen: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { throw ScopedError() }
    static func close(_ value: Int) async {}
  }

  private enum FailingToRun: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func run(_ value: Int) async throws { throw ScopedError() }
    static func close(_ value: Int) async {}
  }

  @Test("an error that keeps its scope isn't kept by the lifetime of that scope", arguments: 0..<3)
  func errorsAreFreed(kind: Int) async {
    let errors = AliveCounter()
    let scope = DependencyScope.isolated().with {
      $0.opensResourcesInTests = true
      $0[ErrorsKey.self] = errors
    }
    await scope.run {
      do {
        switch kind {
        case 0: try await withResources(FailingToOpen.self) {}
        case 1: try await withResources(FailingToRun.self) { await untilCancelled() }
        default:
          try await withResources(First.self) {
            _ = try? await DependencyScope.current.open(FailingToOpen.self)
            _ = try await DependencyScope.current.open(FailingToOpen.self)
          }
        }
        Issue.record("Nothing failed.")
      } catch {
        #expect(error is ScopedError)
      }
    }
    #expect(await errors.left() == 0)
  }
}
