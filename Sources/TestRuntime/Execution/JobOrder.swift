internal import Dispatch
package import Synchronization

/// The order in which the jobs of a test run.
///
/// A test that isn't explored has the plain order: first in, first out. When nothing can run, it waits in
/// real time.
///
/// Each schedule of an explored test has an order of its own, which chooses what runs next. It runs when
/// the exploring task says so, and its time is virtual.
package final class JobOrder: Sendable {
  /// Whether this is one of a test's schedules.
  package let isExplored: Bool
  package let isTraced: Bool
  /// The seed of a schedule's random numbers.
  package let seed: UInt64
  package let usesRandomNumbers = Atomic(false)
  /// The place of an explored test.
  package let place: String
  // The last one, because its size changes often, and SwiftPM doesn't rebuild who reads the others.
  let state: Mutex<ReadyJobs>

  /// Creates a schedule.
  package init(
    strategy: any Strategy, seed: UInt64 = 0, isTraced: Bool, mayOvertake: Bool = true,
    at place: String = ""
  ) {
    (isExplored, self.isTraced, self.seed, self.place) = (true, isTraced, seed, place)
    state = Mutex(
      ReadyJobs(strategy: strategy, isTraced: isTraced, mayOvertake: mayOvertake))
  }

  /// Creates the plain order of a test that isn't explored.
  ///
  /// - Parameter isWhole: Whether all tasks that the test starts run in this order.
  package init(isWhole: Bool = false) {
    (isExplored, isTraced, seed, place) = (false, isWhole, 0, "")
    state = Mutex(ReadyJobs(strategy: nil, isTraced: isWhole, hasOthers: !isWhole))
  }

  /// Records the name of the running task.
  func noteName() {
    guard isTraced, let name = TaskID.currentName else { return }
    let task = TaskID.current
    state.withLock { $0.trace?.name(task, name) }
  }
}

/// What a test's executor asks, and says.
extension JobOrder {
  /// Takes a job.
  ///
  /// - Parameter isOutside: Whether no job of the order has made it ready.
  /// - Returns: Whether the executor must begin to run what is next, on a thread of its own.
  func add(_ job: TestJob, isOutside: Bool) -> Bool {
    noteName()
    let (mustStart, arrival): (Bool, Wait?) = state.withLock { state in
      state.take(job, isOutside: isOutside)
      return (state.begin(), state.arrival.take())
    }
    arrival?.finish(.fulfilled)
    return mustStart
  }

  /// Removes what runs next; `nil` if nothing can run.
  func next() -> TestStep? {
    let (step, pause): (TestStep?, Wait?) = state.withLock { state in
      let step = state.next()
      return (step, step == nil && !state.isBlocked ? state.pausing.take() : nil)
    }
    // What waits for the pause isn't a part of the test.
    if let pause { RunningExecutors.shared.with(nil) { pause.finish(.fulfilled) } }
    return step
  }

  /// Adds a note about the running job to the record of the order, if there is one.
  package func note(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let text = text()
    state.withLock { $0.trace?.note(text) }
  }

  /// Announces the origin of the next task to start, after those that were announced before.
  package func announceTask(_ origin: @autoclosure () -> String) {
    guard isTraced else { return }
    let origin = origin()
    state.withLock { $0.trace?.announce(origin) }
  }
}
