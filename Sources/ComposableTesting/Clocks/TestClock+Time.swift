internal import Synchronization

extension TestClock {
  /// Advances the clock by a duration, and wakes tasks in the order of their deadlines.
  ///
  /// The durations of concurrent calls add up. The test fails if a duration is negative.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await advance(place) { $0.nextEnd(after: duration) }
  }

  /// Advances the clock to an instant, and wakes tasks in the order of their deadlines.
  ///
  /// The test fails if the clock shows a later instant already.
  public func advance(
    to instant: Instant,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await advance(place) { _ in instant }
  }

  private func advance(_ place: CallSite, to end: (inout ClockState) -> Instant) async {
    endLateSleeps()
    await testRun.settle(at: place)
    let (now, instant) = state.withLock { ($0.now, end(&$0)) }
    if instant < now {
      return TestFailure.record(
        """
        The clock shows \(now.offset), and can't go back to \(instant.offset).
          Instead: advance it by a positive duration, or create another clock.
        """, at: place)
    }
    var wakesNobody = true
    while let sleeper = wakeFirst(until: instant, ifNobody: wakesNobody ? place : nil) {
      wakesNobody = false
      sleeper.continuation.resume()
      await testRun.settle(at: place)
    }
  }

  private func wakeFirst(until end: Instant, ifNobody place: CallSite?) -> ClockState.Sleeper? {
    state.withLock { state in
      let sleeper = state.wakeFirst(until: end)
      if sleeper == nil, let place { state.idleAdvance = place }
      return sleeper
    }
  }

  /// Runs everything that can run, and wakes the tasks whose deadline is now.
  ///
  /// No time passes. A task whose deadline isn't in the future doesn't sleep at all, so this call
  /// only waits: when it returns, each tracked task has reached its next sleep.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    endLateSleeps()
    await testRun.settle(at: place)
  }

  /// Advances the clock until no task sleeps.
  ///
  /// The test fails if a task keeps sleeping. In that case, advance the clock as far as you need
  /// instead, and cancel the task.
  ///
  /// - Parameters:
  ///   - count: The number of sleepers to wake before the test fails.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func run(
    wakingAtMost count: Int = 10_000,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    endLateSleeps()
    await testRun.settle(at: place)
    for _ in 0..<max(count, 0) {
      guard let sleeper = state.withLock({ $0.wakeFirst(until: nil) }) else { return }
      sleeper.continuation.resume()
      await testRun.settle(at: place)
    }
    guard let next = state.withLock({ $0.deadlines.first }) else { return }
    TestFailure.record(
      """
      The clock has woken \(count) sleepers, and a task is sleeping again. The clock shows \
      \(now.offset), and the task sleeps until \(next.offset).
        Instead: advance the clock as far as the test needs, and cancel the task that keeps sleeping.
      """, at: place)
  }

  /// Checks that no task sleeps on the clock, after running everything that can run.
  ///
  /// - Throws: ``SuspensionError`` if a task sleeps.
  public func checkSuspension(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    endLateSleeps()
    await testRun.settle(at: place)
    let (now, deadlines) = state.withLock { ($0.now, $0.deadlines) }
    guard deadlines.isEmpty else { throw SuspensionError(now: now, deadlines: deadlines) }
  }

  /// An error about tasks that unexpectedly sleep on a clock.
  public struct SuspensionError: Error, CustomStringConvertible {
    /// The instant that the clock showed.
    public let now: Instant
    /// The deadlines of the sleeping tasks, in order.
    public let deadlines: [Instant]

    /// A description of the instants, and how to fix the test.
    public var description: String {
      """
      Tasks sleep on the test's clock until \
      \(deadlines.map { "\($0.offset)" }.joined(separator: ", ")). The clock shows \(now.offset).
        Instead: advance the clock, or cancel the tasks.
      """
    }
  }

  /// Waits until a number of tasks sleep on the clock.
  ///
  /// You need this only for tasks that leave the test's executor, such as `Task {}`, and never for
  /// the effects of a ``TestStore``.
  ///
  /// - Returns: The number of sleeping tasks. If it is still less than `count` after several
  ///   seconds, the test fails.
  @discardableResult
  public func sleepers(
    atLeast count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Int {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    endLateSleeps()
    await testRun.settle(at: place)
    let wait = Wait()
    let waits = state.withLock { state in
      state.waits.append((count, wait))
      return state.satisfiedWaits
    }
    for wait in waits { wait.end(.fulfilled) }
    let outcome = await TimeLimit(patience, on: testRun.executor).outcome(of: wait)
    let sleepers = state.withLock { state in
      state.waits.removeAll { $0.wait === wait }
      return state.deadlines.count
    }
    if outcome == .timedOut {
      TestFailure.record(
        """
        The test waited \(patience) for \(count) tasks to sleep on its clock, but only \(sleepers) \
        did.
        """, at: place)
    }
    return sleepers
  }
}
