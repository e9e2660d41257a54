internal import TestRuntime

/// Waits until nothing of the test can run.
///
/// Each call of a ``TestStore`` or a test clock does so by itself. Call this function after other code
/// that starts tasks, such as a model:
///
/// ```swift
/// @MainActor final class Counter {
///   private(set) var count = 0
///   func tapped() { Task { count += 1 } }
/// }
///
/// @Test(.isolatedDependencies) @MainActor
/// func counts() async {
///   let counter = Counter()
///   counter.tapped()
///   await settle()
///   #expect(counter.count == 1)
/// }
/// ```
///
/// When the call returns, each task that the test has started, on the main actor or another default
/// actor, has ended, sleeps or waits for something else. No time passes on the test's clocks. It doesn't
/// wait for code outside the test's order: queues, threads, and actors with executors of their own. If
/// something never settles, the test fails.
///
/// The test needs a trait of this library. Without one, Swift runs the test's tasks in an order that
/// nothing can wait for, so the test fails. In XCTest, call it in an asynchronous
/// `withTestDependencies`.
public func settle(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async {
  let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let testRun = TestRun.ofScope, RunningExecutors.shared.current === testRun.executor else {
    let sight = TestRun.ofScope?.order.sight
    return TestFailure.record(
      """
      `settle()` can't wait for the tasks of this code, because \
      \(sight?.gap ?? "it runs outside the order of a test").
        Instead: \(sight?.remedy ?? "give the test a trait, as in `@Test(.isolatedDependencies)`.")
      """, at: place)
  }
  await testRun.settle(at: place)
}
