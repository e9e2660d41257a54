import ComposableDependencies
import StandardDependencies
import TestSupport
import Testing

@Suite("Growing scopes")
struct GrowthTests {
  private static let members = ManyKeys.first(1_500)

  @Test("rules 2, 3: scopes that grow from each other read like dictionaries", arguments: 0..<20)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pool = Self.members.prefix([12, 90, 1_500].randomElement(using: &random)!)
    // A scope is built on one of these, in place if nothing else retains it.
    var kept: [(scope: DependencyScope, model: [Int: Int])] = [(.isolated(), [:])]
    for _ in 0..<60 {
      let isKept = Bool.random(using: &random)
      let index = kept.indices.randomElement(using: &random)!
      var (scope, model) = kept[index]
      if !isKept { kept.remove(at: index) }
      let changes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        (pool.randomElement(using: &random)!, Int.random(in: 0...9, using: &random))
      }
      if Bool.random(using: &random) {
        scope = scope.with { for (member, value) in changes { $0[member: member] = value } }
      } else {
        for (member, value) in changes { scope = scope.with { $0[member: member] = value } }
      }
      for (member, value) in changes { model[member.number] = value }
      kept.append((scope, model))
    }
    for (scope, model) in kept {
      scope.run {
        withDependencies {
          for member in pool { #expect($0[member: member] == model[member.number] ?? -1) }
        } operation: {
        }
      }
    }
  }

  @Test(
    "rule 8: a hundred thousand overrides of one key leave no more blocks than a thousand",
    .enabled(if: Allocations.areCounted))
  func memoryOfOneKeyIsFlat() {
    onSmallStack {
      func blocks(after count: Int) -> Int {
        var scope = DependencyScope.root
        return Allocations {
          for value in 0..<count { scope = scope.with(\.a, value) }
        }.remaining
      }
      #expect(blocks(after: 1_000) < 50)
      #expect(blocks(after: 100_000) < 50)
    }
  }

  @Test("rule 8: a scope created in a thousand nested scopes reads and is freed like any other")
  func deepNesting() {
    func nested(_ depth: Int) -> DependencyScope {
      depth == 0
        ? .current
        : withDependencies {
          $0.a = depth
        } operation: {
          nested(depth - 1)
        }
    }
    let scope = DependencyScope.root.run { nested(1_000) }
    #expect(scope.a == 1)
    onSmallStack { _ = scope.with(\.a, 2) }
  }

  @Test("rule 8: a scope with many overrides is freed on a small stack, shared or not")
  func freeing() {
    let scope = DependencyScope.isolated().with {
      for member in Self.members { $0[member: member] = 1 }
    }
    onSmallStack {
      var branches = (0..<4).map { branch in
        scope.with { for member in Self.members { $0[member: member] = branch } }
      }
      branches.removeFirst()
      branches.removeLast()
      #expect(branches.map { $0[Self.members[0]] } == [1, 2])
    }
    #expect(scope[Self.members[1_499]] == 1)
  }

  @Test("rule 8: a replaced override is soon freed, regardless of the number of others")
  func replacedOverridesAreFreed() {
    let alive = AliveCounter()
    var scope = DependencyScope.isolated().with {
      for member in Self.members.prefix(20) { $0[member: member] = 1 }
    }
    for _ in 0..<1_000 { scope = scope.with { $0.tracked = Tracked(alive) } }
    #expect(alive.count < 64)
    scope = .root
    #expect(alive.count == 0)
  }

  #if !DEBUG  // Unoptimized, each override is copied once, because more references lead to it.

    @Test(
      "rule 8: one update that sets the same dependencies again and again needs no more memory",
      .enabled(if: Allocations.areCounted))
    func repeatedUpdatesInPlace() {
      let members = Self.members.prefix(16)
      var scope = DependencyScope.isolated()
      let blocks = Allocations {
        scope = scope.with {
          for number in 0..<10_000 { $0[member: members[number % 16]] = number }
        }
      }.remaining
      #expect(blocks < 200)
      #expect(scope[members[15]] == 9_999)
    }
  #endif

  @Test("rule 3: threads that concurrently build on one scope each read their own overrides")
  func sharedScopes() async {
    for count in 7...9 {
      for _ in 0..<100 {
        let scope = DependencyScope.isolated().with {
          for member in Self.members.prefix(count) { $0[member: member] = 1 }
        }
        await withTaskGroup { group in
          for task in 2..<6 {
            group.addTask {
              var grown = scope
              for _ in 0..<3 { grown = grown.with { $0[member: Self.members[count]] = task } }
              #expect(grown[Self.members[count]] == task)
              #expect(grown[Self.members[0]] == 1)
            }
          }
        }
        #expect(scope[Self.members[count]] == -1)
      }
    }
  }

  @Test("rule 8: two threads that build on the same full chain leave one table behind")
  func oneTableOnThreads() {
    let (first, next) = (Self.members[0], Self.members[8])
    func chain() -> DependencyScope {
      Self.members.prefix(8).reduce(DependencyScope.isolated()) { $0.with($1, 1) }
    }
    _ = chain().with(next, 1)
    let alone = chain()
    let table = Allocations { _ = alone.with(next, 1) }.remaining
    let scopes = (0..<2_000).map { _ in chain() }
    let results = onTwoThreads(rounds: 2_000) { round, _ in
      var value = 0
      let blocks = Allocations { value = scopes[round].with(next, 1)[first] }.remaining
      return (value, blocks: blocks)
    }
    #expect(results.allSatisfy { $0.first.0 == 1 && $0.second.0 == 1 })
    if Allocations.areCounted {
      // The runtime allocates beside it at times.
      let more = results.dropFirst(10).filter { $0.first.blocks + $0.second.blocks > table }
      #expect(more.count <= 5)
    }
  }

  @Test("a replaced value can read dependencies in its deinit")
  func replacedValuesRead() {
    let alive = AliveCounter()
    var scope = DependencyScope.isolated().with(\.a, 10)
    for _ in 0..<200 {
      scope = scope.with {
        $0.tracked = Tracked(alive) { _ = DependencyScope.current.with(\.a, 2).a }
      }
    }
    scope = .root
    #expect(alive.count == 0)
  }
}

private enum TrackedKey: DependencyKey {
  static var defaultValue: Tracked? { nil }
}

extension Dependencies {
  fileprivate var tracked: Tracked? {
    get { self[TrackedKey.self] }
    set { self[TrackedKey.self] = newValue }
  }
}
