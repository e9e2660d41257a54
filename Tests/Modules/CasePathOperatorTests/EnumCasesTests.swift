import TestSupport
import Testing

@testable import CasePathOperator

@Suite("The cases of enums, on two threads")
struct EnumCasesTests {
  private enum Many<Tag: Sendable> {
    case one(Int)
    case two(Tag)

    static func readings<Number: Sendable>(
      _ count: Int, _ type: Number.Type
    ) -> [@Sendable () -> Int?] {
      guard count > 0 else { return [] }
      return [{ EnumCases.of(Many<Number>.self)?.cases.count }]
        + readings(count - 1, ManyKeys.Next<Number>.self)
    }
  }

  @Test("the cases of many enums are read, while the cases of another are known", arguments: 0..<2)
  func cases(known: Int) {
    let readings = Many<Int>.readings(100, ManyKeys.Zero.self)
    _ = readings[0]()
    let counts = onTwoThreads(rounds: 100) { round, isFirst in
      (isFirst ? readings[round] : readings[known == 0 ? 0 : round])()
    }
    #expect(counts.allSatisfy { $0 == (2, 2) })
  }
}
