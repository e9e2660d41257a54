import Synchronization
import TestSupport

/// An object in a program's states, environments and reducers, which shows when they are freed.
final class Life: Sendable {
  private struct Lives {
    var count = 0
    /// Counts the failures, so that a failure's leftovers aren't counted in the next program.
    var epoch = 0
    var waiting: Signal?
  }

  private static let lives = Mutex(Lives())

  private let end: @Sendable () -> Void
  private let epoch: Int

  init(end: @escaping @Sendable () -> Void = {}) {
    self.end = end
    epoch = Self.lives.withLock { lives in
      lives.count += 1
      return lives.epoch
    }
  }

  deinit {
    end()
    Self.lives.withLock { lives -> Signal? in
      guard epoch == lives.epoch else { return nil }
      lives.count -= 1
      return lives.count == 0 ? lives.waiting : nil
    }?.raise()
  }

  /// Returns the number of objects left, after waiting for it to become zero.
  static func left(after limit: Duration) async -> Int {
    let signal = Signal()
    let isOver = lives.withLock { lives in
      lives.waiting = signal
      return lives.count == 0
    }
    if !isOver { _ = await signal.wait(atMost: limit) }
    return lives.withLock { lives in
      lives.waiting = nil
      return lives.count
    }
  }

  /// Ignores the leftovers of a failed program.
  static func forgetAll() {
    lives.withLock { lives in
      lives.count = 0
      lives.epoch += 1
    }
  }
}

/// Records when the closure of a run is freed.
final class LaneLife: Sendable {
  private let lane: Int
  private let journal: Journal

  init(_ lane: Int, _ journal: Journal) {
    self.lane = lane
    self.journal = journal
  }

  deinit {
    journal.record(.released(lane: lane))
  }
}
