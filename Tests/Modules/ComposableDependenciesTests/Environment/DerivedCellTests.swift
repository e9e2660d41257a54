import Testing

@testable import ComposableDependencies

@Suite("Cells of derived environments")
struct DerivedCellTests {
  private final class Token: Sendable {}

  private struct Child: DependencyEnvironment {
    var token = Token()
  }

  @Test("rule 19: the first environment that is published stays, and any other one is freed")
  func published() {
    let cell = DerivedCell<Child>(
      given: nil, parent: nil, location: SourceLocation(fileID: #fileID, line: #line))
    let first = Child()
    _ = cell.publish(first)
    weak var lost: Token?
    do {
      let second = Child()
      lost = second.token
      _ = cell.publish(second)
    }
    #expect(lost == nil)
    #expect(cell.environment.token === first.token)
  }
}
