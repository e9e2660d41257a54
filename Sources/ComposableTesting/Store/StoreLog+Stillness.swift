/// A moment in which all effects of a store sleep on clocks of the test, and nothing else runs on its
/// executor.
struct Stillness: Equatable, Sendable {
  /// The first deadline.
  let next: TestClock.Instant
  fileprivate let jobCount: Int
  fileprivate let times: [TestClock.Instant]
}

extension StoreLog {
  /// How everything sleeps; `nil` if something runs, or if an effect waits for something else.
  ///
  /// Two equal values mean that nothing has happened between them.
  var stillness: Stillness? {
    guard let jobCount = testRun.executor.jobCountIfIdle else { return nil }
    let (effects, times) = (effects, testRun.times)
    guard let next = firstToWake(of: effects) else { return nil }
    return Stillness(next: next, jobCount: jobCount, times: times)
  }

  /// Ends a wait early if only the clock could end it, and nothing advances the clock.
  ///
  /// Another task may be about to advance the clock, on a thread or an actor that the test doesn't
  /// track. So the stillness must last for a hundred turns of such a task.
  ///
  /// - Returns: A task that returns the reason for which it ended the wait. Cancel it when the wait
  ///   has ended otherwise.
  func watchForStillness(ending wait: Wait) -> Task<Stillness?, Never> {
    // Detached, so that its jobs aren't among those of the test's executor.
    Task.detached(priority: Task.currentPriority) {
      var last: Stillness?
      while !Task.isCancelled {
        let current = self.stillness
        if let current, current == last {
          wait.end(.timedOut)
          return current
        }
        last = current
        await pause()
      }
      return nil
    }
  }
}

/// Waits for the time of a hundred turns of other tasks, or until the task is cancelled.
private func pause() async {
  let wait = Wait()
  await withTaskCancellationHandler {
    _ = await TimeLimit(.milliseconds(250), on: nil).outcome(of: wait)
  } onCancel: {
    wait.end(.fulfilled)
  }
}
