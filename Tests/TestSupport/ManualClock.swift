internal import Synchronization

/// A clock that stands still until a test advances it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    var offset: Duration

    package func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    package func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    package static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var ids = 0
    var arrivals = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (watchers, wakes) = state.withLock { state in
          state.arrivals += 1
          let watchers = state.watchers.filter { $0.count <= state.arrivals }.map(\.continuation)
          state.watchers.removeAll { $0.count <= state.arrivals }
          let isCancelled = state.cancelled.remove(id) != nil
          if isCancelled || deadline <= state.now { return (watchers, Optional(isCancelled)) }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return (watchers, nil)
        }
        for watcher in watchers { watcher.resume() }
        if let isCancelled = wakes {
          continuation.resume(with: isCancelled ? .failure(CancellationError()) : .success(()))
        }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass, and wakes who has slept long enough, in the order of their deadlines.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns when so many tasks have gone to sleep since the clock was made.
  package func waitForSleeps(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.watchers.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
