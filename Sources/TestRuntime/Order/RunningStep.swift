/// The job that runs, and the step of a task that it belongs to.
///
/// A task's step lasts from where the task starts or resumes to its next suspension. It has several jobs if
/// the task lets go of its thread in between, to go on with its next job.
struct RunningStep {
  /// Why an entry runs after the job.
  enum Following {
    /// It goes on in the task's step. At a boundary, others can run before it.
    case goesOn, goesOnAtBoundary
    /// The schedule lets it overtake the job.
    case overtakes
  }

  /// The number of the job; 0 if none runs.
  private(set) var job = 0
  private(set) var place = TestJob.Place.nonisolated
  /// The actor on which the job began.
  private(set) var actor: Int?
  /// Whether the job only resumes the task, which then has a job of its own.
  private(set) var isResumption = false
  /// The thread on which the job runs, if it's known.
  var thread: WatchedThread?
  /// Whether a task has begun to run in the job of an actor.
  private var hasBegun = false
  /// Whether the job has just made another one ready, and so may be overtaken.
  var hasMadeReady = false

  /// The task; 0 if it isn't known, because an actor's job runs tasks of its own choice.
  private(set) var task: UInt64 = 0
  /// The tasks that go on when those that have started immediately let go of the thread.
  private var interrupted: [UInt64] = []
  private var hasYielded = false
  /// Whether the task waits for an actor whose job is ready, or on which an overtaken job is.
  private var waits = false
  /// How often the task has gone on while others were ready.
  var passed = 0
  /// The boundaries in the step so far; a plain test has none.
  var boundaries: [Int] = []
  /// What runs after the job, if that is decided.
  var next: (entry: ReadyEntries.Entry, why: Following)?

  /// Nothing runs.
  init() {}

  /// Begins to run an entry.
  init(_ entry: ReadyEntries.Entry, job: Int, passed: Int) {
    (self.job, task, actor, place) = (job, entry.task, entry.actor, entry.place)
    (boundaries, self.passed) = (entry.boundaries, passed)
    switch entry.work {
    case .job(let job): isResumption = job.kind == .yield
    case .waitingTask: isResumption = true
    case .overtaken: break
    }
  }

  /// Whether a task that lets go of the thread has started immediately, so that its creator goes on.
  func isImmediate(_ task: UInt64) -> Bool { !interrupted.isEmpty && task == self.task }

  /// Notices that a task starts immediately, on its creator's thread and in its step.
  mutating func beginImmediate(_ task: UInt64) {
    interrupted.append(self.task)
    self.task = task
  }

  mutating func endImmediate() {
    task = interrupted.removeLast()
    hasYielded = false
  }

  /// Notices that a task runs.
  ///
  /// - Returns: Whether that ends the step of another one, with which the job began.
  mutating func noteRunning(_ task: UInt64, _ all: inout Boundaries) -> Bool {
    while self.task != task, interrupted.contains(task) { endImmediate() }
    guard self.task != task, !isResumption else { return false }
    end(&all)
    self.task = task
    return true
  }

  /// Notices that a task runs on the job's actor.
  ///
  /// - Returns: Whether that ends the step of another one.
  mutating func begin(_ task: UInt64, _ all: inout Boundaries) -> Bool {
    defer { (self.task, hasBegun) = (task, true) }
    guard hasBegun else { return false }
    end(&all)
    hasYielded = false
    return true
  }

  /// Notices that a task waits for an actor, if it's the running one, which lets go of its thread.
  mutating func willWait(_ task: UInt64) {
    if task == self.task, !isResumption { waits = true }
  }

  mutating func noteYield(of task: UInt64, _ all: inout Boundaries) {
    hasYielded = true
    passed = 0
    all.yield(task, after: &boundaries)
  }

  /// Ends the step, which has reached a suspension, or the end of the task.
  mutating func end(_ all: inout Boundaries) {
    if !isResumption, !hasYielded { all.endYield(of: task) }
    for boundary in boundaries where waits || all.leaves(boundary) { all.confirm(boundary) }
    boundaries = []
    waits = false
  }
}
