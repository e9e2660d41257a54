import Synchronization

/// Counts the programs' environments that are alive in the process.
final class Life: Sendable {
  static let tally = Tally()

  init() { Self.tally.add(1) }
  deinit { Self.tally.add(-1) }
}
