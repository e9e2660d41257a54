internal import Dispatch

/// The time for which an executor has been running the same job.
struct JobAge {
  private(set) var number: Int?
  /// The number of times in a row that the job was seen after the first.
  private(set) var steps = 0
  private var start = DispatchTime.now()
  private var turns: ThreadTurns?
  private let startTurn: ThreadTurns.Start

  /// - Parameter startTurn: Runs a closure on a thread like the one that runs the job.
  init(startTurn: @escaping ThreadTurns.Start = ThreadTurns.startTurn) {
    self.startTurn = startTurn
  }

  mutating func count(_ running: Int?, at now: DispatchTime = .now()) {
    if running != nil, running == number {
      steps += 1
      let turns = turns ?? ThreadTurns()
      self.turns = turns
      turns.next(startTurn)
    } else {
      (number, steps, start, turns) = (running, 0, now, nil)
    }
  }

  /// Whether the job takes so long that it blocks its thread.
  ///
  /// Time alone doesn't say so. On a busy machine, or where the whole process pauses, the thread may
  /// simply not run. So other threads must have had many turns, unless there are none for a minute.
  func isLong(at now: DispatchTime = .now()) -> Bool {
    let seconds = (now.uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000_000
    return seconds >= 60 || seconds >= 1 && (turns?.count ?? 0) >= 50
  }
}
