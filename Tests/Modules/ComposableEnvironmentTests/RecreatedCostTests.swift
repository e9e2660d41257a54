import ComposableEnvironment
import TestSupport
import Testing

private struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var overridden
  @Dependency(\.b) var unset
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Feature> var child
}

/// Derives a type that is never assigned, so no reflection looks for an assigned one.
private struct PlainParent: ComposableEnvironment {
  struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  let scope = DependencyScope.current
  @DerivedEnvironment<Child> var child
}

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

extension Dependencies {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

@Suite("Costs of environments, however they came to be")
struct RecreatedCostTests {
  /// What reads in an environment execute.
  private struct Cost: Equatable, CustomStringConvertible {
    var retains: [Int] = []
    var allocations: [Allocations] = []

    init(of feature: Feature) {
      count { _ = feature.overridden }
      count { _ = feature.unset }
      let scope = feature.scope
      count { _ = scope.a }
      count { _ = scope.b }
      scope.run {
        count { _ = feature.overridden }
        count { _ = feature.unset }
        count { _ = DependencyScope.current.a }
        count { _ = DependencyScope.current.b }
      }
    }

    private mutating func count(_ read: () -> Void) {
      read()  // instantiates key paths and metadata, once in the process
      if Retains.areCounted { retains.append((0..<5).map { _ in Retains.count(in: read) }.min()!) }
      if Allocations.areCounted { allocations.append(Allocations.fewest(of: read)) }
    }

    var description: String { "\(retains) \(allocations)" }
  }

  private static let base = DependencyScope.isolated()

  private static var ways: [(String, Feature)] {
    let created = base.run { Feature() }
    var parent = base.run { Parent() }
    let derived = parent.with(\.a, 1).child
    parent.child = created.with(\.a, 1)
    let assigned = parent.child
    let carried = parent.with(\.c, 3).child
    var inUpdate: Feature?
    base.with(\.a, 1).run {
      withDependencies {
        $0.c = 3
        inUpdate = Feature()
      } operation: {
      }
    }
    return [
      ("with", created.with(\.a, 1)),
      ("ten times with", (0..<10).reduce(created) { feature, number in feature.with(\.a, number) }),
      ("derived", derived), ("assigned", assigned), ("carried over", carried),
      ("created in an update", inUpdate!),
    ]
  }

  @Test("rule 39: a read costs the same in an environment that was created, recreated or derived")
  func costs() {
    let cost = Cost(of: Self.base.with(\.a, 1).run { Feature() })
    for (name, feature) in Self.ways { #expect(Cost(of: feature) == cost, "\(name)") }
  }

  #if !DEBUG  // A debug build compares what the copy lost.
    @Test("`with` allocates at most seven blocks", .enabled(if: Allocations.areCounted))
    func allocations() {
      let parent = Self.base.with(\.number, 1).run { PlainParent() }
      var copy = parent
      let allocations = Allocations.fewest { copy = parent.with(\.number, 2) }
      #expect(allocations.allocated <= 7)
      #expect(copy.scope.number == 2)
    }
  #endif
}
