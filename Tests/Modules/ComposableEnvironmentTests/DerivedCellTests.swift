import TestSupport
import Testing

import ComposableDependencies

@testable import Environments

@Suite("Cells of derived environments")
struct DerivedCellTests {
  private final class Token: Sendable {
    // Not a literal, whose reads the optimizer would replace.
    let number = Int("7")
  }

  private struct Child: DependencyEnvironment {
    var token = Token()
  }

  private func cell() -> DerivedCell<Child> {
    DerivedCell(given: nil, parent: .root, location: SourceLocation(fileID: #fileID, line: #line))
  }

  @Test("rule 19: two threads that read a child first get the same one")
  func racingOnThreads() {
    let cells = (0..<1_000).map { _ in cell() }
    let tokens = onTwoThreads(rounds: 1_000) { round, _ in
      let token = cells[round].environment.token
      return (token, number: token.number)
    }
    #expect(tokens.allSatisfy { $0.first.0 === $0.second.0 && $0.second.number == 7 })
  }

  /// So large that a copy takes a while.
  private struct Large: DependencyEnvironment {
    let numbers: Four<Four<SIMD64<Int>>>
    var isWhole: Bool { numbers == Large(numbers.first.first[0]).numbers }

    init(_ number: Int) { numbers = Four(Four(SIMD64(repeating: number))) }
    init() { self.init(0) }
  }

  @Test("rule 19: a child that is carried over again and again on two threads stays whole")
  func carryingLargeOnThreads() {
    func cell(_ number: Int) -> DerivedCell<Large> {
      DerivedCell(
        given: nil, parent: .root, location: SourceLocation(fileID: #fileID, line: #line)
      ).replacing(Large(number))
    }
    let (first, second, target, next) = (cell(1), cell(2), cell(3), cell(4))
    let results = onTwoThreads(rounds: 400) { _, isFirst in
      (0..<50).allSatisfy { _ in
        if isFirst {
          first.carry(to: target)
          second.carry(to: target)
          return true
        }
        target.carry(to: next)
        return next.make().isWhole
      }
    }
    #expect(results.allSatisfy { $0.second })
  }

  /// Parents of as many types as a test needs.
  private struct Parent<Tag: Sendable>: ScopeCapturing {
    let scope = DependencyScope.current
    @DerivedEnvironment var child = Child()

    static func recreatings<Number: Sendable>(
      _ count: Int, _ type: Number.Type
    ) -> [@Sendable (DependencyScope) -> Bool] {
      guard count > 0 else { return [] }
      let recreate: @Sendable (DependencyScope) -> Bool = { scope in
        var parent = scope.run { Parent<Number>() }
        let child = Child()
        parent.child = child
        let copy = parent.recreated(fileID: #fileID, line: #line) { $0.a = 10 }
        return copy.child.token === child.token
      }
      return [recreate] + recreatings(count - 1, ManyKeys.Next<Number>.self)
    }
  }

  @Test("rule 18: threads recreate environments of types that were never recreated before")
  func recreatingOnThreads() {
    let recreatings = Parent<Int>.recreatings(100, ManyKeys.Zero.self)
    let scope = DependencyScope.isolated()
    let results = onTwoThreads(rounds: 100) { round, _ in recreatings[round](scope) }
    #expect(results.allSatisfy { $0.first && $0.second })
  }
}
