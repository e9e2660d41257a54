import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("The key of an aliased property")
struct PropertyKeyTests {
  private let scope = DependencyScope.isolated()

  @Test("aliasing a property that isn't the value of one key is reported")
  func notOneKey() {
    let reported = issues {
      scope.alias(\.name.count64, to: \.a, fileID: #fileID, line: #line)
      scope.alias(\.a, to: \.both, fileID: #fileID, line: #line)
    }
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.problem.contains("doesn't simply read and set") })
    #expect((scope.a, scope.b) == (1, 2))
  }

  @Test("an alias of a property that computes its value is reported, and changes nothing")
  func computed() {
    let reported = issues {
      scope.alias(\.tenfold, to: \.a, fileID: #fileID, line: #line)
      scope.alias(\.b, to: \.tenfold, fileID: #fileID, line: #line)
      scope.alias(\.tenfold, to: \.zero, fileID: #fileID, line: #line)
    }
    #expect(reported.count == 2, "a tenth of nothing is nothing")
    #expect(reported.allSatisfy { $0.problem.contains("doesn't simply read and set") })
    #expect((scope.zero, scope.a, scope.b, scope.tenfold) == (0, 1, 2, 0))
  }

  @Test("a number that isn't equal to itself can be aliased")
  func notANumber() {
    #expect(issues { scope.alias(\.nan, to: \.zeroes, fileID: #fileID, line: #line) } == [])
    #expect(scope.nan == 0)
  }

  @Test("aliasing sets a property to no value but its own, and keeps what its setter changes")
  func settersAreKept() {
    let values = SetValues()
    SmallKey.$values.withValue(values) {
      let reported = issues { scope.alias(\.a, to: \.small, fileID: #fileID, line: #line) }
      #expect(reported.count == 0)
    }
    #expect(values.all.withLock { $0 } == [5])
    #expect(scope.a == 5)
    #expect(scope.with(\.small, 100).a == 9)
    #expect(scope.with(\.a, 100).small == 100)
  }

  @Test("a value captured by a key path can declare an alias in its deinit")
  func capturedObjectsAreFreedOutsideTheLock() {
    let aliased = Mutex(0)
    func declare() {
      let token = Tracked {
        aliased.withLock { $0 += 1 }
        DependencyScope.isolated().alias(\.a, to: \.b, fileID: #fileID, line: #line)
      }
      DependencyScope.isolated().alias(\.[captured: token], to: \.a, fileID: #fileID, line: #line)
    }
    for _ in 0..<500 { declare() }
    #expect(aliased.withLock { $0 } == 500)
  }

  @Test("the key of an aliased dependency is found once per place in the source")
  func keyIsLearntOnce() {
    func count() -> Int { timesCounted.withLock { $0 } }
    let before = count()
    for _ in 0..<3 {
      DependencyScope.isolated().alias(\.counted, to: \.a, fileID: #fileID, line: #line)
    }
    #expect(count() == before + 1)
    let reported = issues {
      scope.alias(\.countedTwice, to: \.a, fileID: #fileID, line: #line)
    }
    #expect(reported.count == 1)
    #expect(count() == before + 2, "a default isn't computed twice if it has no key")
  }

  @Test("threads find the keys of key paths while others that are gone are forgotten")
  func onThreads() {
    let member = ManyKeys.first(1)[0]
    let results = onTwoThreads(rounds: 500) { round, isFirst in
      if isFirst, round % 3 == 0 {
        PropertyKey.removeGone()
        return true
      }
      let keyPath = \Dependencies[member: member]
      let (key, again) = PropertyKey.of(keyPath, keyPath)
      return key != nil && again == key
    }
    #expect(results.allSatisfy { $0.first && $0.second })
  }

  @Test("dependencies that differ only in a type argument are distinguished")
  func typeArguments() {
    #expect(\Dependencies[Sized<Int8>()] == \Dependencies[Sized<Int64>()], "as Swift sees them")
    scope.alias(\.[Sized<Int8>()], to: \.a, fileID: #fileID, line: #line)
    scope.alias(\.[Sized<Int64>()], to: \.b, fileID: #fileID, line: #line)
    #expect(scope[SizeKey<Int8>.self] == 1)
    #expect(scope[SizeKey<Int64>.self] == 2)
    #expect(scope.with(\.b, 20)[SizeKey<Int8>.self] == 1)
  }
}

private let timesCounted = Mutex(0)

private enum CountedKey: DependencyKey {
  static var defaultValue: Int {
    timesCounted.withLock { $0 += 1 }
    return 0
  }
}

private struct Sized<Number: FixedWidthInteger & Sendable>: Hashable, Sendable {}

private enum SizeKey<Number: FixedWidthInteger & Sendable>: DependencyKey {
  static var defaultValue: Int { Number.bitWidth }
}

extension String {
  fileprivate var count64: Int {
    get { count }
    set { self = String(repeating: "x", count: newValue) }
  }
}

extension Dependencies {
  fileprivate var counted: Int {
    get { self[CountedKey.self] }
    set { self[CountedKey.self] = newValue }
  }

  /// Reads `counted`, and sets another key, too.
  fileprivate var countedTwice: Int {
    get { counted }
    set {
      counted = newValue
      a = newValue
    }
  }

  fileprivate subscript<Number: FixedWidthInteger & Sendable>(_: Sized<Number>) -> Int {
    get { self[SizeKey<Number>.self] }
    set { self[SizeKey<Number>.self] = newValue }
  }

  /// Sets two keys.
  fileprivate var both: Int {
    get { a + b }
    set {
      a = newValue
      b = newValue
    }
  }
}

private final class SetValues: Sendable {
  let all = Mutex<[Int]>([])
}

private enum SmallKey: DependencyKey {
  @TaskLocal static var values: SetValues?
  static var defaultValue: Int { 5 }
}

private enum NaNKey: DependencyKey { static var defaultValue: Double { .nan } }
private enum ZeroesKey: DependencyKey { static var defaultValue: Double { 0 } }

extension Dependencies {
  fileprivate var nan: Double {
    get { self[NaNKey.self] }
    set { self[NaNKey.self] = newValue }
  }

  fileprivate var zeroes: Double {
    get { self[ZeroesKey.self] }
    set { self[ZeroesKey.self] = newValue }
  }
}

private enum ZeroKey: DependencyKey { static var defaultValue: Int { 0 } }

extension Dependencies {
  fileprivate var zero: Int {
    get { self[ZeroKey.self] }
    set { self[ZeroKey.self] = newValue }
  }

  fileprivate var tenfold: Int {
    get { self[ZeroKey.self] * 10 }
    set { self[ZeroKey.self] = newValue / 10 }
  }

  /// At most 9.
  fileprivate var small: Int {
    get { self[SmallKey.self] }
    set {
      SmallKey.values?.all.withLock { $0.append(newValue) }
      self[SmallKey.self] = min(newValue, 9)
    }
  }

  fileprivate subscript(captured token: Tracked) -> Int {
    get { self[ZeroKey.self] }
    set { self[ZeroKey.self] = newValue }
  }
}
