import ComposableDependencies
import StandardDependencies
import TestSupport
import Testing

@Suite("Values of overrides")
struct OverrideValueTests {
  @Test("values of any size and alignment, set together in any order, read back", arguments: 0..<30)
  func anyLayout(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var scopes: [DependencyScope] = [.isolated()]
    for round in 1..<20 {
      let layouts = Layout.all.shuffled(using: &random).prefix(.random(in: 1...9, using: &random))
      let below = scopes.randomElement(using: &random)!
      let scope = below.with { for layout in layouts { layout.set(round, &$0) } }
      scope.run {
        withDependencies {
          for layout in layouts { #expect(layout.isSet(round, $0)) }
        } operation: {
        }
      }
      scopes.append(scope)
    }
  }

  @Test("every value is destroyed once, when the last scope that holds it goes", arguments: 0..<30)
  func destroying(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var scopes: [DependencyScope] = [.isolated()]
    let alive = AliveCounter()
    for _ in 0..<60 {
      let index = scopes.indices.randomElement(using: &random)!
      let scope = Bool.random(using: &random) ? scopes[index] : scopes.remove(at: index)
      let chosen = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        setters.randomElement(using: &random)!
      }
      scopes.append(scope.with { for set in chosen { set(&$0, alive) } })
      if scopes.count > 6 { scopes.removeFirst() }
    }
    #expect(alive.count > 0)
    scopes = []
    #expect(alive.count == 0)
  }

  @Test("rule 3: what an update has set stays as it is in a copy that is made meanwhile")
  func copiesInsideAnUpdate() {
    withDependencies {
      for member in Self.members {
        let before = $0
        $0[member: member] = 1
        #expect(before[member: member] == -1)
        #expect($0[member: member] == 1)
        if member.number > 0 {
          #expect(before[member: Self.members[member.number - 1]] == 1)
        }
      }
    } operation: {
    }
  }

  private static let members = ManyKeys.first(24)
}

/// A dependency with a kind of layout.
private struct Layout: Sendable {
  let set: @Sendable (Int, inout Dependencies) -> Void
  let isSet: @Sendable (Int, Dependencies) -> Bool

  init<Key: DependencyKey>(
    _ key: Key.Type, _ make: @escaping @Sendable (Int) -> Key.Value,
    _ isMade: @escaping @Sendable (Key.Value, Int) -> Bool
  ) {
    set = { $1[key] = make($0) }
    isSet = { isMade($1[key], $0) }
  }

  static let all = [
    Layout(NothingKey.self, { _ in }, { _, _ in true }),
    Layout(Key<Int8>.self, { Int8($0) }, { $0 == Int8($1) }),
    Layout(Key<Four<Int>>.self, { Four($0) }, { $0 == Four($1) }),
    Layout(
      Key<Four<Four<Four<Int>>>>.self, { Four(Four(Four($0))) }, { $0 == Four(Four(Four($1))) }),
    Layout(
      Key<Kilobytes>.self, { Kilobytes(Four(Four(Four($0)))) },
      { $0?.fourth.first.first.first == $1 }),
    Layout(Key<String>.self, { text($0) }, { $0 == text($1) }),
    Layout(Key<Object>.self, { Object($0) }, { $0?.number == $1 }),
    Layout(Key<SIMD16<Double>>.self, { SIMD16(repeating: Double($0)) }, { $0?[15] == Double($1) }),
    Layout(Key<@Sendable () -> Int>.self, { number in { number } }, { $0?() == $1 }),
    Layout(Key<any Sendable>.self, { text($0) }, { $0 as? String == text($1) }),
  ]

  private typealias Kilobytes = Four<Four<Four<Four<Int>>>>

  private static func text(_ number: Int) -> String { "a text too long to be inline, \(number)" }

  private enum NothingKey: DependencyKey {
    static var defaultValue: Void { () }
  }

  private enum Key<Content: Sendable>: DependencyKey {
    static var defaultValue: Content? { nil }
  }

  private final class Object: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
}

private enum TrackedKey<Number>: DependencyKey {
  static var defaultValue: Tracked? { nil }
}

private enum PairKey<Number>: DependencyKey {
  static var defaultValue: (Int, Tracked?, Int, Tracked?) { (0, nil, 0, nil) }
}

private let setters: [@Sendable (inout Dependencies, AliveCounter) -> Void] = [
  { $0[TrackedKey<Int>.self] = Tracked($1) },
  { $0[TrackedKey<Int8>.self] = Tracked($1) },
  { $0[TrackedKey<Int16>.self] = Tracked($1) },
  { $0[TrackedKey<Int32>.self] = Tracked($1) },
  { $0[TrackedKey<UInt>.self] = Tracked($1) },
  { $0[PairKey<Int>.self] = (1, Tracked($1), 2, Tracked($1)) },
  { $0[PairKey<Int8>.self] = (1, Tracked($1), 2, nil) },
  { $0[PairKey<Int16>.self] = (1, nil, 2, Tracked($1)) },
]
