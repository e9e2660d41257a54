import TestSupport
import Testing

@testable import ComposableDependencies
@testable import DependencyDebugging

@Suite("Listening to lost reads", .serialized)
struct LostReadsTests {
  @Test("a scope built outside any scope is lost, with few overrides or many")
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

  @Test("a listener can leave out reads in scopes that were entered outside any scope")
  func onlyOutside() async {
    let count = Counter()
    let end = DependencyScope.root.listenToLostReads { read in
      if read.scope.isOutsideAnyScope, read.key == LostKey.self { _ = count.next() }
    }
    await Task.detached {
      withDependencies {
        $0.a = 10
      } operation: {
        _ = DependencyScope.current.lost
      }
    }.value
    #expect(count.count == 0)
    await Task.detached { _ = DependencyScope.current.lost }.value
    #expect(count.count == 1)
    end()
  }

  @Test("a read in a scope, or of an override or a global value, isn't reported")
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

  private func lostReads(during operation: () async -> Void) async -> Int {
    let count = Counter()
    let end = DependencyScope.root.listenToLostReads { read in
      if read.key == LostKey.self { _ = count.next() }
    }
    await operation()
    end()
    return count.count
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
