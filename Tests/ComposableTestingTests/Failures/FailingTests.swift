import ComposableTesting
import Foundation
import Synchronization
import Testing
import XCTest

// Tests that fail, in a process of their own: `FailuresTests` runs them, and looks at what they say.

/// Whether this process was started to run the tests that fail.
private let runsFailingTests = ProcessInfo.processInfo.environment["RUN_FAILING_TESTS"] == "1"

/// Lines of this file at which tests have to fail.
enum FailingLine {
  static let unimplemented = #line + 3
}

private let fetch: @Sendable () -> Int = unimplemented("apiClient.fetch", placeholder: 7)

private func misuse() {
  DependencyIssue(problem: "wrong", remedy: "right", fileID: "App/Main.swift", line: 7).report()
}

final class FailingTestCase: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(runsFailingTests, "run by `FailuresTests`")
  }

  func testUnimplemented() {
    XCTAssertEqual(fetch(), 7)
  }

  func testAsync() async {
    let value = await Task.detached { fetch() }.value
    XCTAssertEqual(value, 7)
  }

  func testMisuse() {
    withTestDependencies { misuse() }
  }

  func testWithoutFailure() {
    withTestDependencies {
      $0.mailer += " of XCTest"
    } operation: {
      XCTAssertEqual(DependencyScope.current.mailer, "test of XCTest")
    }
  }
}

@Suite("Failing tests", .enabled(if: runsFailingTests), .isolatedDependencies)
struct FailingTests {
  @Test("a misuse")
  func fails() {
    misuse()
  }

  @Test("a call in a detached task that is in the test's scope")
  func detachedInScope() async {
    await Task.detached(in: .current) { _ = fetch() }.value
  }

  @Test("a call in a detached task")
  func detached() async {
    await Task.detached { _ = fetch() }.value
  }

  @Test("a misuse in a detached task")
  func detachedMisuse() async {
    await Task.detached { misuse() }.value
  }
}
