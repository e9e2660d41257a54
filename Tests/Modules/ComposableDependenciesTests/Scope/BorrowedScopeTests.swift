import ComposableDependencies
import TestSupport
import Testing

@Suite("Borrowed scopes")
struct BorrowedScopeTests {
  @Test("an operation runs in the scope, whichever the current one is said to be")
  func running() {
    let scope = DependencyScope.isolated().with(\.a, 10)
    let other = DependencyScope.isolated().with(\.a, 11)
    let value = other.run {
      BorrowedScope(scope).run(from: BorrowedScope(other)) { DependencyScope.current.a }
    }
    #expect(value == 10)
    #expect(
      scope.run {
        BorrowedScope(scope).run(from: BorrowedScope(scope)) { Dependency(\.a).wrappedValue }
      } == 10)
  }

  @Test("an operation is not run in the scope again where that is the current one")
  func runningInPlace() {
    let scope = DependencyScope.isolated().with(\.a, 10)
    let other = DependencyScope.isolated().with(\.a, 11)
    // The caller vouches for the current scope: nothing is entered.
    let value = other.run {
      BorrowedScope(scope).run(from: BorrowedScope(scope)) { DependencyScope.current.a }
    }
    #expect(value == 11)
  }

  @Test("scopes are the same if they are one, and can be kept")
  func identity() {
    let scope = DependencyScope.isolated().with(\.a, 10)
    let other = DependencyScope.isolated().with(\.a, 11)
    #expect(BorrowedScope(scope).isSame(as: BorrowedScope(scope)))
    #expect(!BorrowedScope(scope).isSame(as: BorrowedScope(other)))
    #expect(BorrowedScope(scope).kept.a == 10)
    #expect(!BorrowedScope(scope).kept.isLost)
  }
}
