internal import Synchronization
internal import TestRuntime

extension TestClock {
  /// Advances the clock by a duration, and wakes tasks in the order of their deadlines.
  ///
  /// The durations of concurrent calls add up. Without a duration, no time passes, but everything that
  /// can run runs. The test fails if a duration is negative.
  public func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await advance(place) { state in
      // After those that are under way.
      state.end = max(state.now, state.end).advanced(by: duration)
      return state.end
    }
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

  private func advance(_ place: CallSite, to end: (inout State) -> Instant) async {
    await settle(at: place)
    let (now, instant) = state.withLock { ($0.now, end(&$0)) }
    if instant < now {
      return TestFailure.record(
        """
        The clock shows \(now.offset), and can't go back to \(instant.offset).
          Instead: advance it by a positive duration, or create another clock.
        """, at: place)
    }
    while await wakeFirst(through: instant, place) {}
  }

  /// Moves the time to the next deadline, or to `end` if no deadline comes before.
  ///
  /// - Returns: Whether a sleeper woke.
  private func wakeFirst(through end: Instant?, _ place: CallSite) async -> Bool {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.popFirst(through: end?.offset)
      if let instant = sleeper.map({ Instant(offset: $0.deadline) }) ?? end {
        state.now = max(state.now, instant)
      }
      return sleeper
    }
    guard let sleeper else { return false }
    sleeper.sleep.continuation.resume()
    await settle(at: place)
    return true
  }

  /// Runs everything that can run, and yields to tasks that the test doesn't track until none of
  /// them begins to sleep.
  private func settle(at place: CallSite) async {
    await testRun.settle(at: place)
    for _ in 0..<100 {
      let count = state.withLock { $0.sleepCount }
      guard await testRun.order.yieldToOthers() else { return }
      await testRun.settle(at: place)
      if state.withLock({ $0.sleepCount }) == count { return }
    }
  }

  /// Advances the clock until no task sleeps.
  ///
  /// The test fails if a task still sleeps after `count` sleepers have woken. In that case, advance
  /// the clock as far as you need instead, and cancel the task.
  public func run(
    wakingAtMost count: Int = 10_000,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle(at: place)
    for _ in 0..<max(count, 0) {
      guard await wakeFirst(through: nil, place) else { return }
    }
    guard let next = state.withLock({ $0.sleepers.nextDeadline }) else { return }
    TestFailure.record(
      """
      The clock has woken \(count) sleepers, and a task is sleeping again. The clock shows \
      \(now.offset), and the task sleeps until \(next).
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
    await settle(at: place)
    let (now, sleepers) = state.withLock { ($0.now, $0.sleepers.sorted) }
    let deadlines = sleepers.map { Instant(offset: $0.deadline) }
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
  /// Use it for a task outside the test's executor, such as `Task {}`, that does something else
  /// before it sleeps. The effects of a store for tests never need it.
  ///
  /// - Returns: The number of sleeping tasks. If it is still less than `count` after several
  ///   seconds, the test fails. In a canceled task, the call returns at once.
  @discardableResult
  public func waitForSleepers(
    atLeast count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Int {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(at: place)
    let wait = Wait()
    let waits = state.withLock { state in
      state.waits.append((count, wait))
      return state.satisfiedWaits
    }
    for wait in waits { wait.finish(.fulfilled) }
    let outcome = await testRun.order.outcomeUnlessCancelled(
      of: wait, within: Countdown(patience))
    let sleepers = state.withLock { state in
      state.waits.removeAll { $0.wait === wait }
      return state.sleepers.count
    }
    if outcome == .timedOut, sleepers < count {
      TestFailure.record(
        """
        The test waited \(patience) for \(count) tasks to sleep on its clock, but only \(sleepers) \
        did.
        """, at: place)
    }
    return sleepers
  }
}

extension TestClock {
  /// Not available: write `waitForSleepers(atLeast:)`, which waits.
  @available(*, unavailable, renamed: "waitForSleepers(atLeast:fileID:filePath:line:column:)")
  public func sleepers(atLeast count: Int) async -> Int { 0 }

  /// Not available: `settle()` needs no clock.
  @available(
    *, unavailable,
    message: "write `settle()` of ComposableTesting, or `clock.advance()` in a test without a trait"
  )
  public func settle() async {}

  /// Not available: the test fails if a task keeps sleeping, so it needs no timeout.
  @available(*, unavailable, message: "write `run()`, which needs no timeout")
  public func run(timeout: Duration) async {}
}
