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
  }

  private struct Declaring: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var first
    @Dependency(\.c) var second
  }
#endif
