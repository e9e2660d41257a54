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
        for _ in 0..<2 { _ = (environment.a, environment.b, environment.counted) }
      }
      #expect(reads == ["Declaring BKey", "Declaring BKey"])
    }

    @Test("nothing is reported to a listener that doesn't ask for it, or after it has ended")
    func silent() {
      #expect(reads {} == [])
      let listener = scope.listenToReads { _ in }
      _ = scope.run { Declaring().b }
      scope.end(listener)
    }

    @Test("the keys of a property and of a declaration are found by a single read of each")
    func found() {
      let property = timesCounted { _ = reads { for _ in 0..<3 { _ = Other().countedToo } } }
      #expect(property == 4)
      let declaration = timesCounted {
        _ = reads { for _ in 0..<3 { _ = OtherDeclaring().b } }
      }
      #expect(declaration == 1)
    }

    @Test("what a key path captures is neither compared nor hashed")
    func captured() {
      let comparisons = Counter()
      let reported = reads {
        for _ in 0..<3 { _ = Other()[dynamicMember: \.[compared: Compared(comparisons)]] }
      }
      #expect(reported == ["Other BKey", "Other BKey", "Other BKey"])
      #expect(comparisons.times.withLock { $0 } == 0)
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
    @Dependency(\.counted) var second
  }

  private struct OtherDeclaring: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.counted) var first
  }

  private struct Other: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  private enum CountedKey: DependencyKey {
    @TaskLocal static var counter = Counter()

    static var defaultValue: Int {
      counter.times.withLock { $0 += 1 }
      return 0
    }
  }

  private final class Counter: Sendable {
    let times = Mutex(0)
  }

  private func timesCounted(_ operation: () -> Void) -> Int {
    let counter = Counter()
    CountedKey.$counter.withValue(counter, operation: operation)
    return counter.times.withLock { $0 }
  }

  /// Counts how often it is compared or hashed.
  private struct Compared: Hashable {
    let comparisons: Counter

    init(_ comparisons: Counter) { self.comparisons = comparisons }

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.comparisons.times.withLock { $0 += 1 }
      return true
    }

    func hash(into hasher: inout Hasher) { comparisons.times.withLock { $0 += 1 } }
  }

  extension Dependencies {
    fileprivate subscript(compared _: Compared) -> Int { b }

    fileprivate var countedToo: Int { counted }

    fileprivate var counted: Int {
      get { self[CountedKey.self] }
      set { self[CountedKey.self] = newValue }
    }
  }
#endif
