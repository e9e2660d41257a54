/// A failing schedule, and what its analysis found.
struct ScheduleFailure: Sendable {
  enum Doubt: Sendable {
    /// The same schedule, or the plain one, behaved differently when it ran again.
    case again(ScheduleResult)
    /// The test was cancelled before the schedule could be shrunk.
    case cancelled
  }

  /// The number of the schedule, counted from 1.
  let number: Int
  /// The schedule as it was found.
  let found: ScheduleResult
  /// The simplest schedule that fails in the same way, or the found one if there is a doubt.
  let shown: ScheduleResult
  /// Why it wasn't shrunk, if it wasn't.
  var doubt: Doubt?

  /// Doubts the failure if the run that has recorded its issues did something else.
  mutating func didRecord(in run: ScheduleResult) {
    if doubt == nil, !run.isSame(as: shown) { doubt = .again(run) }
  }
}
