/// How others go on although the running job keeps its thread.
///
/// It has made another job ready, and that one overtakes it. Or it has held its thread for too long, and leaves the
/// order until it suspends.
extension ReadyJobs {
  /// The maximum number of threads that wait until their jobs go on.
  private static let mostOvertaken = 24

  /// Lets others overtake the running job, if the schedule says so.
  ///
  /// - Parameter place: Where the job is, if any places are known in which a lock is held.
  /// - Returns: What the job's thread waits for.
  mutating func overtake(on actor: UInt?, leaves: Bool, at place: Int? = nil) -> OvertakenJob? {
    guard running.hasMadeReady || leaves else { return nil }
    running.hasMadeReady = false
    // While a task leaves an actor, it holds no lock.
    let isPolling = leaves && isPolling()
    guard isPolling || hasChoices && mayOvertake, isRunning, running.task != 0, !entries.isEmpty
    else { return nil }
    if overtakenCount == Self.mostOvertaken {
      findings.isLimited = true
      return nil
    }
    addNext()
    let before = running.place == .nonisolated ? nil : entries
    if before != nil {
      if entries.areAll(at: running.place) { return nil }
      entries.hold(running.place)
    }
    let hasLock = !leaves && !locks.isEmpty && locks.contains(place ?? Self.everywhere)
    if hasChoices {
      let actor = actor.map { boundaries.visit($0, by: running.task) } ?? running.actor
      running.boundaries.append(
        boundaries.add(choice: record.choices.count, on: actor, leaves: leaves))
    }
    let job = OvertakenJob(running, leaves: leaves)
    add(
      Entry(
        work: .overtaken(job), task: running.task, number: number(of: running.task),
        cause: .overtaken))
    let next = choose(insteadOf: isPolling ? 0 : entries.count - 1, isForced: hasLock)
    if case .overtaken(let own) = next.work, own === job {
      // In their order: the job goes on as if nobody could have overtaken it.
      if let before { entries = before }
      return nil
    }
    overtakenCount += 1
    running.next = (next, .overtakes)
    running.thread = nil
    return job
  }

  /// Whether a job is the running one; `nil` stands for code that acts for the test outside of its jobs.
  func isRunning(_ job: Int?) -> Bool { job == nil || job == running.job }

  /// The running job, if others wait until it lets go of its thread.
  var holding: (job: Int, thread: WatchedThread, overtakesLock: Bool)? {
    guard isRunning, running.job != 0, let thread = running.thread, !isIdle || overtakenCount > 0
    else { return nil }
    return (running.job, thread, overtakenCount > 0)
  }

  /// Lets others go on beside the running job, which holds its thread.
  ///
  /// If it sleeps, it may wait for what an overtaken job has locked, so these go on first.
  ///
  /// - Parameter sleep: What its thread does, if it sleeps.
  /// - Returns: Whether it was still running, and sleeping.
  mutating func leave(_ job: Int, sleep: WatchedThread.Sample?) -> Bool {
    guard isRunning, running.job == job, let thread = running.thread,
      sleep == nil || sleep == thread.sample()
    else { return false }
    let sleep = overtakenCount > 0 ? sleep : nil
    away.add(job, at: running.place, on: thread, sleep: sleep)
    addNext()
    if running.place != .nonisolated { entries.hold(running.place) }
    if sleep == nil { noteHeldThread() }
    running = RunningStep()
    return true
  }

  private mutating func noteHeldThread() {
    findings.hasHeldThread = true
    noteAway()
  }

  private mutating func noteAway() {
    noteDeparture("holds its thread without suspending, so others go on")
  }

  /// Records that the thread of a job which has been away is free.
  ///
  /// - Returns: Whether the caller must run what is next.
  mutating func comeBack(_ job: Int) -> Bool {
    guard let (place, sleep) = away.remove(job) else { return false }
    note(sleep)
    if place != .nonisolated { for entry in entries.release(place) { add(entry) } }
    return claimThread()
  }

  /// Whether only a job that holds its thread can still end a wait until nothing can run, or what keeps running.
  var waitsForAway: Bool {
    guard away.areAwaited else { return false }
    return isRunning ? phase == .running && waits.isEndless : !waits.idle.isEmpty
  }

  private mutating func note(_ sleep: AwayJobs.Sleep?) {
    switch sleep {
    case nil, .lasts: break
    case .endedByLock(let place): findings.locks.append(place)
    case .wasShort:
      findings.isDisturbed = true
      noteAway()
    }
  }

  /// Lets an overtaken job go on, which may have locked what another job waits for.
  mutating func suspectedJob() -> TestStep? {
    let sleep = away.checkSleep()
    note(sleep)
    guard case .lasts = sleep else { return nil }
    addNext()
    for index in (0..<entries.count).reversed() {
      guard case .overtaken(let job) = entries[index].work, !job.leaves else { continue }
      job.isSuspected = true
      return run(entries.remove(at: index))
    }
    away.clearSuspects()
    noteHeldThread()
    return nil
  }
}
