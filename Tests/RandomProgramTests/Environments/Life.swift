import Synchronization

/// Counts, in the whole process, the environments of the programs that are alive.
final class Life: Sendable {
  static let tally = Tally()

  init() { Self.tally.add(1) }
  deinit { Self.tally.add(-1) }
}
