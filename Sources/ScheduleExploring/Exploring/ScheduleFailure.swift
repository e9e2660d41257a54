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

  /// The failure with what the run that records its issues has shown.
  func recorded(in run: ScheduleResult) -> ScheduleFailure {
    if doubt != nil || run.isSame(as: shown) { return self }
    var failure = self
    failure.doubt = .again(run)
    return failure
  }
}
