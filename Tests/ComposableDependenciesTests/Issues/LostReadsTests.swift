import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Lost reads", .serialized)
struct LostReadsTests {
  @Test("a default that is read in no scope is told, with its key")
  func readInNoScope() async {
    let reads = await lostReads {
      await Task.detached { _ = DependencyScope.current.lost }.value
    }
    #expect(reads == 1)
  }

  @Test("a scope that was built on none, with few overrides or many, is a lost one")
  func builtOnNone() async {
    let reads = await lostReads {
      await Task.detached {
        let one = withDependencies {
          $0.a = 10
        } operation: {
          DependencyScope.current
        }
        let many = ManyKeys.first(20).reduce(one) { $0.with($1, 0) }
        let captured = withDependencies {
          $0.a = 10
        } operation: {
          Dependency(\.lost)
        }
        _ = (one.lost, many.lost, captured.wrappedValue)
      }.value
    }
    #expect(reads == 3)
  }

  @Test("what is read in a scope, isolated or root, or is overridden or set globally, is not told")
  func readInScopes() async {
    let isolated = DependencyScope.isolated()
    let reads = await lostReads {
      await Task.detached(in: isolated) { _ = DependencyScope.current.lost }.value
      await Task.detached(in: .root) { _ = DependencyScope.current.lost }.value
      await Task.detached(in: ManyKeys.first(20).reduce(.root) { $0.with($1, 0) }) {
        _ = DependencyScope.current.lost
      }.value
      await Task.detached {
        withDependencies {
          $0.lost = 2
        } operation: {
          _ = DependencyScope.current.lost
        }
      }.value
    }
    #expect(reads == 0)
  }

  @Test("while somebody listens, a read in a scope costs what it did")
  func readsInScopes() {
    let listener = LostReads.listen { _ in }
    DependencyScope.root.run {
      _ = DependencyScope.current.a
      #expect(Allocations { _ = DependencyScope.current.a } == Allocations {})
    }
    LostReads.end(listener)
  }

  @Test("who ended listening is told nothing")
  func ended() async {
    let count = Count()
    let listener = LostReads.listen { _ in count.value.withLock { $0 += 1 } }
    LostReads.end(listener)
    await Task.detached { _ = DependencyScope.current.lost }.value
    #expect(count.value.withLock { $0 } == 0)
  }

  private func lostReads(during operation: () async -> Void) async -> Int {
    let count = Count()
    let listener = LostReads.listen { key in
      if key == LostKey.self { count.value.withLock { $0 += 1 } }
    }
    await operation()
    LostReads.end(listener)
    return count.value.withLock { $0 }
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }
}

private enum LostKey: DependencyKey {
  static let defaultValue = 1
}

extension Dependencies {
  fileprivate var lost: Int {
    get { self[LostKey.self] }
    set { self[LostKey.self] = newValue }
  }
}
