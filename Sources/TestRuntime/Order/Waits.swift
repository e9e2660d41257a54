/// Who waits in a test, how time passes meanwhile, and which waits are hopeless.
///
/// Nothing here depends on real time. In a plain test, a `Countdown` limits each wait, too. A schedule counts
/// instead: its jobs while something keeps running, and how often time moves while nothing else happens.
struct Waits {
  /// A task that sleeps on a clock of a schedule.
  struct Sleep: Sendable {
    let task: SleepingTask
    let stack: SourceStack?
    let waitingTask: WaitingTask
  }

  /// Waits until nothing can run, each with the number of jobs when it began.
  var idle: [(wait: Wait, start: Int)] = []
  /// Waits for something that may never happen, each with the number of moments when its limit began.
  var limited: [(wait: Wait, start: Int)] = []
  /// The exploring task's wait for a job; set while there is none.
  var arrival: Wait?
  /// The exploring task's wait until nothing can run.
  var pausing: Wait?

  /// The number of jobs so far.
  private(set) var jobs = 0
  /// The number of jobs when a task of a schedule was last new, or a wait was given up.
  var jobsUntilProgress = 0
  /// The most jobs that were ready at once.
  var mostReady = 0
  /// Whether something has kept running while a wait lasted.
  private var isRestless = false

  /// The tasks that sleep on clocks of a schedule; those of a plain test have sleepers of their own.
  var sleepers = Sleepers<Sleep>()
  /// The time on the clocks of a schedule.
  private(set) var now = Duration.zero
  /// How often it has moved.
  private(set) var moments = 0
  /// The number of moments when the body of a schedule last ran.
  private var momentOfBody = 0
  /// Whether a wait has ended because only time passes.
  private(set) var onlyTimePasses = false
  /// The number of sleeps that began after the end of the run.
  private var lateSleeps = 0

  /// The number of jobs and waits so far, which a plain test that does nothing doesn't change.
  var activity = 0
  /// Whether something waits until a plain test does nothing.
  var isWatched = false

  /// The maximum number of sleeps after the end of the run that end at once.
  private static let mostLateSleeps = 100
  /// The number of jobs in which something must end after a failure, or after the body.
  static let restLimit = 1_000
  /// The maximum number of jobs in a schedule.
  private static let stepLimit = 200_000
  /// The number of jobs after which something keeps running: while a test waits for them to end, or in a
  /// schedule without a new task.
  var restlessLimit: Int { 50_000 + 20 * mostReady }
  /// How often time may move while the body of a test waits within a limit.
  static let limitOfMoments = 1_000
  /// The number of jobs that still run when a wait is about to be given up.
  static let lastJobs = 16

  mutating func noteJob(ofBody isBody: Bool) {
    jobs += 1
    activity += 1
    if isBody { momentOfBody = moments }
  }

  /// Whether a schedule doesn't seem to end.
  var isEndless: Bool {
    jobs >= Self.stepLimit || idle.isEmpty && jobs - jobsUntilProgress >= restlessLimit
  }

  /// The number of jobs until a wait for their end is given up; `nil` if there is no such wait.
  private var jobsUntilGivingUp: Int? {
    // After the first failure of a test, the next ones needn't take as long.
    let limit = isRestless ? Self.restLimit : restlessLimit
    return idle.first.map { $0.start + limit - jobs }
  }

  /// Whether only a few jobs run before a wait is given up.
  var isAboutToGiveUp: Bool { jobsUntilGivingUp == Self.lastJobs }

  /// Removes a wait for what will not happen, because something keeps running or only time passes.
  mutating func takeHopeless(canRun: Bool) -> Wait? {
    if let left = jobsUntilGivingUp, left < 0 {
      isRestless = true
      jobsUntilProgress = jobs
      return idle.removeFirst().wait
    }
    guard !canRun,
      let index = limited.firstIndex(where: { moments - $0.start >= Self.limitOfMoments })
    else { return nil }
    onlyTimePasses = true
    return limited.remove(at: index).wait
  }

  /// Whether time moves, but the body doesn't run.
  var bodyHasStopped: Bool { moments - momentOfBody >= 10 * Self.limitOfMoments }

  /// Moves the time to the next deadline.
  ///
  /// - Returns: Whether a task was sleeping.
  mutating func moveTime() -> Bool {
    guard let next = sleepers.nextDeadline else { return false }
    if next > now {
      now = next
      moments += 1
    }
    return true
  }

  /// Whether a sleep after the end of the run lasts, so that a loop that ignores errors rests, too.
  mutating func sleepsLate() -> Bool {
    lateSleeps += 1
    return lateSleeps > Self.mostLateSleeps
  }

  /// Removes all sleepers and waits.
  mutating func removeAll() -> (sleepers: [Sleepers<Sleep>.Sleeper], waits: [Wait]) {
    defer { (idle, limited) = ([], []) }
    return (sleepers.removeAll(), (idle + limited).map(\.wait))
  }
}
