import ComposableTesting
import TestSupport
import XCTest

/// An XCTest case whose tests run in test scopes.
final class XCTestTests: XCTestCase {
  override func invokeTest() {
    withTestDependencies {
      $0.a = 10
    } operation: {
      super.invokeTest()
    }
  }

  func testReadsOverridesAndTestValues() {
    XCTAssertEqual(DependencyScope.current.a, 10)
    XCTAssertEqual(DependencyScope.current.mailer, "test")
  }

  func testReadsThemInAsynchronousTestsToo() async {
    XCTAssertEqual(DependencyScope.current.a, 10)
    XCTAssertEqual(DependencyScope.current.mailer, "test")
  }

  func testUsesDefaultValues() async {
    Dependencies.useDefaultValues()
    XCTAssertEqual(DependencyScope.current.mailer, "live")
    let lost = await Task.detached { DependencyScope.current.mailer }.value
    XCTAssertEqual(lost, "test")
  }

  func testSetsGloballyForItselfOnly() {
    DependencyScope.current.setGlobally(\.b, 20)
    XCTAssertEqual(DependencyScope.current.b, 20)
  }

  func testSetsGloballyForItselfOnlyToo() {
    XCTAssertEqual(DependencyScope.current.b, 2)
    DependencyScope.current.setGlobally(\.b, 20)
  }

  @MainActor func testIsOnTheMainActor() throws {
    #if compiler(<6.3)
      // Outside any task, after an isolated deinit while a task-local is bound.
      try XCTSkipIf(true, "Swift 6.2 frees memory twice.")
    #endif
    guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else { return }
    let hasEnded = Shared(false)
    do { _ = Ending(hasEnded) }
    XCTAssertTrue(hasEnded.value)
  }

  func testAddsToItsScope() {
    DependencyScope.current.setGlobally(\.b, 20)
    withTestDependencies {
      $0.c = $0.a + 1
    } operation: {
      XCTAssertEqual(DependencyScope.current.a, 10)
      XCTAssertEqual(DependencyScope.current.b, 20)
      XCTAssertEqual(DependencyScope.current.c, 11)
    }
  }
}

@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
@MainActor private final class Ending {
  private let hasEnded: Shared<Bool>

  init(_ hasEnded: Shared<Bool>) { self.hasEnded = hasEnded }

  isolated deinit { hasEnded.update { $0 = true } }
}

/// An XCTest case whose tests run outside any scope.
final class XCTestTestsWithoutScope: XCTestCase {
  func testReadsTestValues() async {
    XCTAssertEqual(DependencyScope.current.mailer, "test")
    XCTAssertEqual(DependencyScope.isolated().mailer, "test")
    let lost = await Task.detached { DependencyScope.current.mailer }.value
    XCTAssertEqual(lost, "test")
  }
}
