/// What can run next, in the order of arrival, and what waits for its place, or until nothing else is ready.
package struct ReadyEntries {
  enum Work: Sendable {
    case job(TestJob)
    /// A task that waits at a choice point, or sleeps until now.
    case waitingTask(WaitingTask)
    case overtaken(OvertakenJob)
  }

  package struct Entry: Sendable {
    let work: Work
    let task: UInt64
    /// The number of the task, in the order in which tasks arrived.
    package let number: Int
    let cause: ScheduleTrace.Cause
    /// The actor on which the job runs.
    var actor: Int?
    /// Where the job became ready, if that was captured.
    var stack: SourceStack?
    /// The boundaries in the task's step so far.
    var boundaries: [Int] = []

    /// Whether others may need what the entry keeps: an actor, or a thread.
    var mustRun: Bool {
      switch work {
      case .job(let job): job.kind == .actor
      case .overtaken: true
      case .waitingTask: false
      }
    }

    var place: TestJob.Place { if case .job(let job) = work { job.place } else { .nonisolated } }
  }

  /// What can run next.
  package var ready = Arrivals<Entry>()
  /// The number of these at each place that can be kept.
  private var counts: [TestJob.Place: Int] = [:]
  /// What waits at each place that an overtaken job keeps.
  private var held: [TestJob.Place: [Entry]] = [:]
  /// Jobs that arrived from other threads.
  ///
  /// They wait until nothing else is ready, so that the moment of their arrival matters as little as possible.
  private(set) var outside: [Entry] = []
  private var outsideSince = 0

  /// The number of steps after which jobs from outside run even if others are ready.
  private static let patience = 1_000

  var count: Int { ready.count }
  var isEmpty: Bool { ready.isEmpty }
  /// Whether not even a job from outside can run.
  var areNone: Bool { ready.isEmpty && outside.isEmpty }

  subscript(index: Int) -> Entry { ready[index] }

  mutating func append(_ entry: Entry, priority: UInt64) {
    if !held.isEmpty, held[entry.place]?.append(entry) != nil { return }
    if entry.place != .nonisolated { counts[entry.place, default: 0] += 1 }
    ready.append(entry, priority: priority)
  }

  mutating func remove(at index: Int) -> Entry {
    let entry = ready.remove(at: index)
    if entry.place != .nonisolated { counts[entry.place, default: 0] -= 1 }
    return entry
  }

  /// Whether all that can run next is at one place.
  func areAll(at place: TestJob.Place) -> Bool { count == counts[place, default: 0] }

  func isHeld(_ place: TestJob.Place) -> Bool { !held.isEmpty && held[place] != nil }

  /// Keeps what needs a place until it's released.
  mutating func hold(_ place: TestJob.Place) {
    var waiting: [Entry] = []
    for index in (0..<count).reversed() where ready[index].place == place {
      waiting.append(remove(at: index))
    }
    held[place] = waiting.reversed()
  }

  /// Returns what has waited for a place, in order.
  mutating func release(_ place: TestJob.Place) -> [Entry] { held.removeValue(forKey: place) ?? [] }

  mutating func appendOutside(_ entry: Entry, atStep step: Int) {
    if outside.isEmpty { outsideSince = step }
    outside.append(entry)
  }

  /// Returns the jobs from outside, if it's their turn.
  mutating func takeOutside(atStep step: Int) -> [Entry] {
    guard !outside.isEmpty, isEmpty || step - outsideSince > Self.patience else { return [] }
    defer { outside = [] }
    return outside
  }
}
