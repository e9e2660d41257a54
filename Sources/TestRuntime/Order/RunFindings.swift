/// What a run shows of itself, besides its choices and its end.
package struct RunFindings: Sendable {
  /// Whether some job could not be overtaken, because too many were.
  package var isLimited = false
  /// Whether others went on beside a job that slept only because the machine is busy.
  package var isDisturbed = false
  /// Whether others went on beside a job that held its thread.
  package var hasHeldThread = false
  /// Whether a job would have been overtaken where a lock is held.
  package var hasRefused = false
  /// The places in which overtaken jobs have held locks; `nil` for one that isn't known.
  package var locks: [SourceStack?] = []
  /// How often a task let something run outside, and the number of jobs that arrived from there.
  var (departures, arrivals) = (0, 0)

  package init() {}

  /// Whether the run isn't one of the test's orders, because a job was overtaken that held a lock.
  package var isCut: Bool { !locks.isEmpty }

  /// Whether the run is one of the test's orders: nobody was, or would have been, overtaken where a lock is held.
  package var isOrder: Bool { !isCut && !hasRefused }

  /// The number of tasks that left the executor, as far as that is known.
  ///
  /// Some are seen only when they leave, and some only when they come back.
  package var outsideCount: Int { max(departures, arrivals) }
}
