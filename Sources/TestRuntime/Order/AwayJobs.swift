/// The jobs of a test that hold their threads, so that others go on beside them.
///
/// One of them may sleep because an overtaken job has locked what it needs. Then the overtaken jobs go on, one
/// after the other, until it wakes.
struct AwayJobs {
  private struct Job {
    /// Where nothing else can run meanwhile.
    let place: TestJob.Place
    let thread: WatchedThread
    /// What its thread does, if it may wait for what an overtaken job has locked.
    var sleep: WatchedThread.Sample?
  }

  /// What became of a job that sleeps.
  enum Sleep {
    case lasts
    /// It has ended when the last overtaken job went on, which has held a lock at this place, if that is known.
    case endedByLock(SourceStack?)
    /// It has ended before any went on, and was only long because the machine is busy.
    case wasShort
  }

  /// By their numbers.
  private var jobs: [Int: Job] = [:]
  /// Whether what is next no longer waits for these jobs.
  private var areIgnored = false
  /// What became of a sleep, if it ends before the next overtaken job goes on.
  private var ending = Sleep.wasShort

  var isEmpty: Bool { jobs.isEmpty }

  /// Whether something waits for these jobs.
  var areAwaited: Bool { !jobs.isEmpty && !areIgnored }

  mutating func add(
    _ job: Int, at place: TestJob.Place, on thread: WatchedThread, sleep: WatchedThread.Sample?
  ) {
    jobs[job] = Job(place: place, thread: thread, sleep: sleep)
  }

  /// Removes a job whose thread is free again.
  ///
  /// - Returns: Where others can run now, and what became of its sleep, if it slept.
  mutating func remove(_ job: Int) -> (place: TestJob.Place, sleep: Sleep?)? {
    guard let job = jobs.removeValue(forKey: job) else { return nil }
    return (job.place, job.sleep == nil ? nil : end())
  }

  /// Lets nothing wait for these jobs any more.
  ///
  /// - Returns: Whether something did.
  mutating func ignore() -> Bool {
    defer { areIgnored = true }
    return areAwaited
  }

  /// Remembers the place of an overtaken job that goes on.
  mutating func suspect(_ stack: SourceStack?) { ending = .endedByLock(stack) }

  /// What became of a sleep that others may have ended by going on; `nil` if no job sleeps.
  mutating func checkSleep() -> Sleep? {
    guard let (number, job) = jobs.first(where: { $0.value.sleep != nil }) else { return nil }
    if job.thread.sample() == job.sleep { return .lasts }
    jobs[number]?.sleep = nil
    return end()
  }

  /// Decides that no overtaken job has what the sleeping ones wait for.
  mutating func clearSuspects() {
    for number in jobs.keys { jobs[number]?.sleep = nil }
    ending = .wasShort
  }

  private mutating func end() -> Sleep {
    defer { ending = .wasShort }
    return ending
  }
}
