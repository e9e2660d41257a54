import TestSupport
import Foundation
import Synchronization
import Testing
import XCTest

@testable import ComposableTesting
@testable import TestRuntime

// Tests that fail. `FailuresTests` runs them in a separate process, and checks their output.

/// Whether this process was started to run failing tests.
let runsFailingTests = ProcessInfo.processInfo.environment["RUN_FAILING_TESTS"] == "1"

/// Lines of this file at which tests must fail.
enum FailingLine {
  static let unimplemented = #line + 3
}

private let fetch: @Sendable () -> Int = Dependencies.unimplemented(
  "apiClient.fetch", placeholder: 7)

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

  func testExploredSchedules() async throws {
    try await explore(schedules: 5) { _ = fetch() }
  }

  func testReplayedSchedule() async throws {
    try await explore(replaying: "") { _ = fetch() }
  }

  func testMisuse() {
    withTestDependencies { misuse() }
  }

  func testMisuseAfterAScope() {
    withTestDependencies {}
    onThread { misuse() }
  }

  func testMisuseAfterAnAsynchronousScope() async {
    await withTestDependencies { await Task.yield() }
    await Task.detached { misuse() }.value
  }

  func testMisuseByADetachedTask() async {
    await withTestDependencies { await Task.detached { misuse() }.value }
  }

  func testMisuseByAThread() {
    withTestDependencies { onThread { misuse() } }
  }

  private func onThread(_ operation: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      operation()
      isDone.signal()
    }
    isDone.wait()
  }

  func testMisuseByAnEffectOfAStore() async {
    let reducer = Reducer<Int, Bool, Void> { _, _, _ in
      .run { _ in throw CocoaError(.fileNoSuchFile) }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    await store.send(true)
    await store.finish()
  }

  func testSkippedChange() async {
    let reducer = Reducer<Int, Bool, Void> { state, _, _ in
      state += 1
      return .none
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.exhaustivity = .off(showingSkipped: true)
    await store.send(true)
  }

  func testOverrideAfterCreation() {
    withTestDependencies {
      let model = PassedOverridesTests.Model()
      withDependencies {
        $0.a = 10
      } operation: {
        XCTAssertEqual(model.a, 1)
      }
    }
  }

  func testUnfinishedTask() async {
    await withTestDependencies(reporting: .unfinishedTasks) {
      await Task.yield()
      _ = Task { await Task.yield() }
    }
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

@Suite("Failing tests without a scope of their own", .enabled(if: runsFailingTests))
struct TestsWithoutScope {
  private struct Failed: Error {}

  private enum LostKey: DependencyKey {
    static var defaultValue: Int { 0 }
  }

  @Test("an effect that throws")
  func effectThrows() async {
    let reducer = Reducer<Int, Bool, Void> { _, _, _ in
      .run { _ in throw Failed() }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    await store.send(true)
    await store.finish()
  }

  @Test("a lost read while two tests listen")
  func lostRead() async {
    let listeners = [Test.current, nil].map { LostReads.begin(in: $0) { $0 == LostKey.self } }
    await Task.detached {
      for _ in 0..<3 { _ = DependencyScope.current[LostKey.self] }
    }.value
    for listener in listeners { LostReads.end(listener) }
  }

  @Test("a misuse without a store")
  func withoutStore() {
    misuse()
  }
}

@Suite("Failing tests off their tasks", .enabled(if: runsFailingTests), .serialized)
struct TestsOffTheirTasks {
  @Test("a misuse by a detached task")
  func detached() async {
    await Task.detached { misuse() }.value
  }

  @Test("a misuse by a queue")
  func queue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        misuse()
        continuation.resume()
      }
    }
  }

  @Test("a misuse by a thread")
  func thread() async {
    await withCheckedContinuation { continuation in
      Thread {
        misuse()
        continuation.resume()
      }.start()
    }
  }

  private actor Owner {
    private let ended: CheckedContinuation<Void, Never>
    init(_ ended: CheckedContinuation<Void, Never>) { self.ended = ended }
    isolated deinit {
      misuse()
      ended.resume()
    }
  }

  @Test("a misuse by an isolated deinit")
  func isolatedDeinit() async {
    await withCheckedContinuation { _ = Owner($0) }
  }
}

@Suite("Failing schedules", .enabled(if: runsFailingTests))
struct FailingSchedules {
  @Test("two tasks in every order", .exploring())
  func passes() async throws {
    try await sideBySide({}, {})
  }

  @Test("a misuse in a schedule", .exploring(schedules: 2))
  func fails() {
    misuse()
  }
}

@Suite("Failing orders", .enabled(if: runsFailingTests), .isolatedDependencies)
struct FailingOrders {
  @Test("an expectation", .dependencies { $0.mailer = "inner" })
  func expectation() async {
    await Task {}.value
    Issue.record("wrong")
  }

  @Test("an error")
  func error() async throws {
    await Task {}.value
    throw CancellationError()
  }

  @Test("no failure")
  func passes() async {
    await Task {}.value
    withKnownIssue { Issue.record("known") }
  }
}
