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
    weak var lost: Token?
    let first = Child()
    _ = unsafe cell.publish(first)
    do {
      let second = Child()
      lost = second.token
      _ = unsafe cell.publish(second)
    }
    #expect(lost == nil)
    #expect(cell.environment.token === first.token)
  }
}
