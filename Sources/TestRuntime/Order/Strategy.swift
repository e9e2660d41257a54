/// How a schedule chooses among ready jobs.
package protocol Strategy: Sendable {
  /// Returns the priority of a task's job that becomes ready.
  ///
  /// - Parameter task: The number of the task.
  mutating func priority(of task: Int) -> UInt64

  /// Returns the index of the job that runs next; there are at least two.
  ///
  /// - Parameter plain: The index of the job that runs next in the plain order.
  mutating func choose(among ready: inout Arrivals<ReadyEntries.Entry>, plain: Int) -> Int

  /// Returns what a call does: 0 if it succeeds, or the number of its error.
  ///
  /// - Parameter width: The number of errors, and one more.
  mutating func outcome(of width: Int) -> Int
}

extension Strategy {
  package mutating func priority(of task: Int) -> UInt64 { 0 }
}

extension Strategy where Self == GivenOrder {
  /// The choices of an earlier schedule; after that, the oldest job first.
  package static func given(_ schedule: Schedule) -> Self { Self(switches: schedule.switches) }
}

/// The choices of an earlier schedule.
package struct GivenOrder: Strategy {
  private let switches: [Schedule.Switch]
  private var next = 0
  private var choice = 0

  package init(switches: [Schedule.Switch]) {
    self.switches = switches
  }

  package mutating func choose(among ready: inout Arrivals<ReadyEntries.Entry>, plain: Int) -> Int {
    let index = outcome(of: ready.count)
    return index == 0 ? plain : index <= plain ? index - 1 : index
  }

  package mutating func outcome(of width: Int) -> Int {
    defer { choice += 1 }
    guard next < switches.count, switches[next].choice == choice else { return 0 }
    defer { next += 1 }
    return min(switches[next].index, width - 1)
  }
}
