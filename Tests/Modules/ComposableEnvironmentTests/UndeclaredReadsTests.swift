import DependencyDebugging

#if DEBUG
  import ComposableEnvironment
  import Synchronization
  import TestSupport
  import Testing

  @Suite("Undeclared reads")
  struct UndeclaredReadsTests {
    private let scope = DependencyScope.isolated()

    private func reads(_ operation: () -> Void) -> [String] {
      let reads = Mutex<[String]>([])
      let listener = scope.listenToReads { _ in
      } undeclared: { read in
        reads.withLock { $0.append("\(read.environment) \(read.key)") }
      }
      scope.run(operation)
      scope.end(listener)
      return reads.withLock { $0 }
    }

    @Test("each read of a dependency that the environment doesn't declare is reported")
    func reported() {
      let reads = reads {
        let environment = Declaring()
        for _ in 0..<2 { _ = (environment.a, environment.b, environment.c) }
      }
      #expect(reads == ["Declaring BKey", "Declaring BKey"])
    }

    @Test("threads find the keys of environments of many types")
    func onThreads() {
      let listener = scope.listenToReads { _ in
      } undeclared: { _ in
      }
      let all = Many<Int>.reads(60, ManyKeys.Zero.self)
      let members = ManyKeys.first(60)
      onTwoThreads(rounds: 60) { [scope] round, isFirst in
        scope.run {
          all[round]()
          _ = Other()[dynamicMember: \.[member: members[round]]]
        }
      }
      scope.end(listener)
    }
  }

  /// Environments of as many types as a test needs.
  private struct Many<Tag: Sendable>: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var first

    static func reads<Number: Sendable>(
      _ count: Int, _ type: Number.Type
    ) -> [@Sendable () -> Void] {
      guard count > 0 else { return [] }
      return [{ _ = Many<Number>().b }] + reads(count - 1, ManyKeys.Next<Number>.self)
    }
  }

  private struct Declaring: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var first
    @Dependency(\.c) var second
  }

  private struct Other: ComposableEnvironment {
    let scope = DependencyScope.current
  }
#endif
