internal import Dispatch

/// The time for which an executor has been running the same job.
struct JobAge {
  private(set) var number: Int?
  /// The number of times in a row that the job was seen after the first.
  private(set) var steps = 0
  private var nanoseconds: UInt64 = 0
  private var last = DispatchTime.now()

  /// The nanoseconds that count between two steps at most.
  private static let gap: UInt64 = 20_000_000

  mutating func count(_ running: Int?, at now: DispatchTime = .now()) {
    defer { last = now }
    guard running != nil, running == number else {
      (number, steps, nanoseconds) = (running, 0, 0)
      return
    }
    steps += 1
    nanoseconds += min(now.uptimeNanoseconds - last.uptimeNanoseconds, Self.gap)
  }

  /// Whether the job takes so long that it blocks its thread.
  ///
  /// On a busy machine, or where the whole process pauses, the job's thread may simply not run. Then
  /// the steps are rare, too. So a long time between two of them says little.
  var isLong: Bool { nanoseconds >= 1_000_000_000 }
}
