internal import TestRuntime

extension TestStore {
  /// Waits until all effects have ended.
  ///
  /// The test fails if the store received an action that the test didn't assert, or if an effect
  /// doesn't end within `timeout`, the store's ``timeout`` by default. It fails immediately if all
  /// running effects sleep on a `TestClock`, because nothing advances the clock while the test
  /// waits. If a child task of an effect sleeps instead, other work could end that sleep, so the
  /// test fails after the timeout and names the sleeping task. In a canceled task, it doesn't wait.
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let limit = timeout ?? events.timeout
    let outcome: StoreEvents<State, Action>.Outcome<Never> =
      await events.wait(within: limit) { _ in nil }
    events.recordUnasserted(events.takeAllReceived(), "before the end", place)
    switch outcome {
    case .notToCome, .cancelled: break
    case .restless: testRun.recordUnsettled(at: place)
    case .timedOut:
      let when = testRun.progress.textOfTimeout(after: limit)
      recordRunning("are still running at the end, \(when)", place)
    case .asleep(let next):
      recordRunning(
        "sleep on the test's clock at the end, until \(next) or later, and nothing advances it",
        place)
    }
  }

  /// Skips the received actions that weren't asserted; ``state`` becomes the state after the last
  /// one.
  ///
  /// Everything that can run runs first. If there is nothing to skip, the test fails, unless
  /// `strict` is `false`. With ``Exhaustivity/off(showingSkipped:)``, the skipped actions are shown.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    if strict, events.hasNoReceived { recordNothing("received actions", place) }
    let received = events.takeAllReceived()
    if events.exhaustivity.showsSkipped {
      events.recordUnasserted(received, "", place)
    }
  }

  /// Cancels the running effects, and stops waiting for them.
  ///
  /// Everything that can run runs before and after the cancellation. The store still receives
  /// actions that the effects sent before. If there is nothing to skip, the test fails, unless
  /// `strict` is `false`.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    if strict, events.hasNoEffects { recordNothing("running effects", place) }
    if !events.effects.isEmpty { showSkippedEffects("are in flight", place) }
    engine.cancelEffects()
    await testRun.settle(within: timeout, at: place)
    events.forget(events.effects)
  }

  /// Fails the test over a call that skips nothing.
  private func recordNothing(_ skipped: String, _ place: CallSite) {
    TestFailure.record(
      """
      There are no \(skipped) to skip.
        Instead: remove this call, or pass `strict: false`.
      """, at: place)
  }
}
