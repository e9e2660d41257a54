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
      let layouts = Layout.allCases.shuffled(using: &random).prefix(
        .random(in: 1...9, using: &random))
      let below = scopes.randomElement(using: &random)!
      let scope = below.with { for layout in layouts { layout.set(round, in: &$0) } }
      scope.run {
        withDependencies {
          for layout in layouts { #expect(layout.isSet(to: round, in: $0), "\(layout)") }
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

/// A dependency for each kind of layout.
private enum Layout: CaseIterable {
  case nothing, byte, words, manyWords, kilobytes, string, object, vector, closure, existential

  func set(_ number: Int, in dependencies: inout Dependencies) {
    switch self {
    case .nothing: dependencies[NothingKey.self] = ()
    case .byte: dependencies[Key<Int8>.self] = Int8(number)
    case .words: dependencies[Key<Four<Int>>.self] = Four(number)
    case .manyWords: dependencies[Key<Four<Four<Four<Int>>>>.self] = Four(Four(Four(number)))
    case .kilobytes:
      dependencies[Key<Four<Four<Four<Four<Int>>>>>.self] = Four(Four(Four(Four(number))))
    case .string: dependencies[Key<String>.self] = Self.text(number)
    case .object: dependencies[Key<Object>.self] = Object(number)
    case .vector: dependencies[Key<SIMD16<Double>>.self] = SIMD16(repeating: Double(number))
    case .closure: dependencies[Key<Closure>.self] = Closure { number }
    case .existential: dependencies[Key<any Sendable>.self] = Self.text(number)
    }
  }

  func isSet(to number: Int, in dependencies: Dependencies) -> Bool {
    switch self {
    case .nothing: dependencies[NothingKey.self] == ()
    case .byte: dependencies[Key<Int8>.self] == Int8(number)
    case .words: dependencies[Key<Four<Int>>.self]?.fourth == number
    case .manyWords: dependencies[Key<Four<Four<Four<Int>>>>.self]?.fourth.fourth.fourth == number
    case .kilobytes:
      dependencies[Key<Four<Four<Four<Four<Int>>>>>.self]?.fourth.fourth.fourth.fourth == number
    case .string: dependencies[Key<String>.self] == Self.text(number)
    case .object: dependencies[Key<Object>.self]?.number == number
    case .vector: dependencies[Key<SIMD16<Double>>.self] == SIMD16(repeating: Double(number))
    case .closure: dependencies[Key<Closure>.self]?.call() == number
    case .existential: dependencies[Key<any Sendable>.self] as? String == Self.text(number)
    }
  }

  private static func text(_ number: Int) -> String { "a text too long to be inline, \(number)" }

  private enum NothingKey: DependencyKey {
    static var defaultValue: Void { () }
  }

  private enum Key<Content: Sendable>: DependencyKey {
    static var defaultValue: Content? { nil }
  }

  private struct Closure: Sendable {
    let call: @Sendable () -> Int
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
