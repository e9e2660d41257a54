import StandardDependencies
import TestSupport
import Testing

@Suite("Random numbers")
struct RandomNumberTests {
  @Test("by default two sequences differ")
  func live() {
    let numbers = DependencyScope.current.randomNumberGenerator
    #expect((0..<4).map { _ in numbers.next() } != (0..<4).map { _ in numbers.next() })
  }

  @Test("a seed permanently gives the numbers of SplitMix64")
  func seeded() {
    // The first numbers that the generator's author publishes for this seed.
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    func draw(from numbers: some RandomNumberGenerator) -> [UInt64] {
      var numbers = numbers
      return expected.map { _ in numbers.next() }
    }
    #expect(draw(from: SharedRandomNumberGenerator.seeded(1_234_567)) == expected)
    #expect(draw(from: SplitMix64(seed: 1_234_567)) == expected)
  }

  @Test("it is used through a closure, which returns and throws")
  func closure() throws {
    struct Failure: Error {}
    let scope = DependencyScope.current.with(\.randomNumberGenerator, .seeded(1))
    let die = scope.randomNumberGenerator { Int.random(in: 1...6, using: &$0) }
    #expect(1...6 ~= die)
    let shuffled = scope.randomNumberGenerator { Array(0..<100).shuffled(using: &$0) }
    #expect(shuffled != Array(0..<100) && shuffled.sorted() == Array(0..<100))
    #expect(throws: Failure.self) {
      try scope.randomNumberGenerator { (_) throws(Failure) -> Int in throw Failure() }
    }
  }

  @Test("copies and tasks share one sequence, and each number goes to one of them")
  func sharing() async {
    let numbers = SharedRandomNumberGenerator(Counting())
    let drawn = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<100).map { _ in numbers { $0.next() } }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(drawn.sorted() == Array(1...800))
  }

  @Test("tasks share one seeded sequence, too")
  func sharedSeed() async {
    let numbers = SharedRandomNumberGenerator.seeded(7)
    let drawn = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<100).map { _ in numbers.next() } }
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    var alone = SplitMix64(seed: 7)
    #expect(drawn == Set((0..<800).map { _ in alone.next() }))
  }

  @Test("a generator that draws from its own wrapper is reported, and goes on")
  func drawsFromItself() {
    struct Nested: RandomNumberGenerator {
      func next() -> UInt64 { DependencyScope.current.randomNumberGenerator.next() & 0xFF }
    }
    let issues = issues {
      withDependencies {
        $0.randomNumberGenerator = SharedRandomNumberGenerator(Nested())
      } operation: {
        for _ in 0..<2 { #expect(DependencyScope.current.randomNumberGenerator.next() < 256) }
      }
    }
    #expect(issues.count == 2)
    #expect(issues.first?.problem.hasPrefix("A Nested draws from") == true)
  }

  private struct Counting: RandomNumberGenerator {
    var count: UInt64 = 0
    mutating func next() -> UInt64 {
      count += 1
      return count
    }
  }
}
