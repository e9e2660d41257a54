import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@Suite("Aliases")
struct AliasingTests {
  private let scope = DependencyScope.isolated()

  private func alias(
    _ dependency: any WritableKeyPath<Dependencies, Int> & Sendable,
    _ target: any WritableKeyPath<Dependencies, Int> & Sendable
  ) {
    scope.alias(dependency, to: target, fileID: #fileID, line: #line)
  }

  @Test("rule 12: aliased dependencies read the same value in every scope over the store")
  func equivalence() {
    let before = scope.with(\.a, 10)
    alias(\.a, \.b)
    #expect((scope.a, scope.b) == (2, 2))
    #expect((before.a, before.b) == (10, 10))
    for later in [before.with(\.a, 11), before.with(\.b, 11)] {
      #expect((later.a, later.b) == (11, 11))
    }
    #expect(scope.with(\.b, 1).with(\.a, 2).b == 2)
  }

  @Test("rule 12: a value set through any of them is read through all")
  func globalValues() {
    alias(\.a, \.b)
    alias(\.b, \.c)
    for (number, keyPath) in [\Dependencies.a, \.b, \.c].enumerated() {
      scope.setGlobally(keyPath, number + 50)
      #expect((scope.a, scope.b, scope.c) == (number + 50, number + 50, number + 50))
    }
    #expect(scope.d == 4)
  }

  @Test("rule 12: being one is symmetric and transitive, in whatever order it is declared")
  func orderDoesNotMatter() {
    typealias Property = any WritableKeyPath<Dependencies, Int> & Sendable
    let aliases: [(Property, to: Property)] = [(\.a, to: \.b), (\.c, to: \.d), (\.b, to: \.d)]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let scope = DependencyScope.isolated()
      for index in order {
        scope.alias(aliases[index].0, to: aliases[index].to, fileID: #fileID, line: #line)
      }
      #expect([scope.a, scope.b, scope.c, scope.d] == [4, 4, 4, 4])
      let overridden = scope.with(\.a, 9)
      #expect([overridden.a, overridden.b, overridden.c, overridden.d] == [9, 9, 9, 9])
    }
  }

  @Test(
    "rule 13: the default of aliased dependencies is that of the last target that is not aliased")
  func defaultOfTheRoot() {
    alias(\.a, \.b)
    #expect(scope.a == 2)
    alias(\.b, \.c)
    #expect((scope.a, scope.b) == (3, 3))
    alias(\.a, \.d)
    #expect((scope.a, scope.b, scope.c) == (4, 4, 4))
  }

  @Test("rule 13: a global value set before the aliasing is not lost; the root's own comes first")
  func valuesSetBefore() {
    scope.setGlobally(\.a, 10)
    scope.setGlobally(\.b, 20)
    alias(\.b, \.c)
    alias(\.a, \.c)
    #expect((scope.a, scope.b, scope.c) == (20, 20, 20))
    let other = DependencyScope.isolated()
    other.setGlobally(\.a, 10)
    other.setGlobally(\.c, 30)
    other.alias(\.a, to: \.c, fileID: #fileID, line: #line)
    #expect((other.a, other.c) == (30, 30))
  }

  @Test("rule 13: an override set before the aliasing is not lost; the root's own comes first")
  func overridesSetBefore() {
    let both = scope.with(\.c, 30).with(\.a, 10).with(\.b, 20)
    let others = scope.with(\.a, 10).with(\.b, 20)
    alias(\.b, \.c)
    alias(\.a, \.c)
    #expect((both.a, both.b, both.c) == (30, 30, 30))
    #expect((others.a, others.b, others.c) == (20, 20, 20))
    #expect(both.with(\.a, 11).c == 11)
  }

  @Test("rule 14: an alias that would close a cycle changes nothing and names the dependencies")
  func cycle() throws {
    alias(\.a, \.b)
    alias(\.b, \.c)
    let line: UInt = #line + 2
    let reported = issues {
      scope.alias(\.c, to: \.a, fileID: #fileID, line: #line)
    }
    let issue = try #require(reported.first)
    #expect(reported.count == 1)
    #expect(issue.fileID == #fileID)
    #expect(issue.line == line)
    #expect(issue.problem.contains("cycle"))
    #expect(issue.problem.contains("\\Dependencies"))
    #expect((scope.a, scope.b, scope.c) == (3, 3, 3))
  }

  @Test("rule 14: repeating an alias, or one that already follows, is silent and changes nothing")
  func repetition() {
    let reported = issues {
      alias(\.a, \.b)
      alias(\.b, \.c)
      alias(\.a, \.b)
      alias(\.a, \.c)
      alias(\.a, \.a)
      alias(\.d, \.c)
      alias(\.a, \.d)
    }
    #expect(reported.isEmpty)
    #expect((scope.a, scope.d) == (3, 3))
    let other = DependencyScope.isolated()
    for target in [\Dependencies.b, \.c, \.b] {
      other.alias(\.a, to: target, fileID: #fileID, line: #line)
    }
    #expect(other.a == 3, "the root stays the last target, not the last that was repeated")
  }

  @Test("rule 15: a dependency made from an aliased one sees the alias")
  func computedDependencies() {
    alias(\.a, \.b)
    #expect(scope.sum == 4)
    #expect(scope.double == 4)
    #expect(scope.with(\.b, 10).sum == 20)
    #expect(scope.with(\.b, 10).double == 20)
  }

  @Test("rule 16: aliases belong to the store, whatever scope they were declared in")
  func aliasesBelongToTheStore() {
    scope.with(\.c, 0).alias(\.a, to: \.b, fileID: #fileID, line: #line)
    #expect(scope.a == 2)
    #expect(DependencyScope.isolated().a == 1)
    #expect(DependencyScope.root.a == 1)
  }

  @Test("a property that is not the value of one key cannot be aliased, and that is reported")
  func notOneKey() {
    let reported = issues {
      scope.alias(\.name.count64, to: \.a, fileID: #fileID, line: #line)
      scope.alias(\.a, to: \.both, fileID: #fileID, line: #line)
    }
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.problem.contains("not simply the value of one key") })
    #expect((scope.a, scope.b) == (1, 2))
  }

  @Test("the key of an aliased dependency is learnt once for every place that names it")
  func keyIsLearntOnce() {
    func count() -> Int { timesCounted.withLock { $0 } }
    let before = count()
    for _ in 0..<3 {
      DependencyScope.isolated().alias(\.counted, to: \.a, fileID: #fileID, line: #line)
    }
    #expect(count() == before + 1)
    #expect(issues { alias(\.countedTwice, \.a) }.count == 1)
    #expect(count() == before + 2, "nor is one computed twice where there is no key to learn")
  }

  @Test("dependencies that differ only in a type argument are told apart")
  func typeArguments() {
    #expect(\Dependencies[Sized<Int8>()] == \Dependencies[Sized<Int64>()], "as Swift sees them")
    alias(\.[Sized<Int8>()], \.a)
    alias(\.[Sized<Int64>()], \.b)
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

  /// Reads `counted`, and sets another key besides.
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
