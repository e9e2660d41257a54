internal import AllocationCounter
import Foundation
import Synchronization

/// An operation, done as many times as it is told.
struct Workload: Sendable {
  /// What one run took.
  struct Cost {
    var nanoseconds: Double
    /// Blocks allocated by the calling thread; nothing where that is not all of them.
    var allocations: Int?
  }

  /// How many times as long as others its batches are, so that what comes once does not show.
  var batch = 1
  /// Does the operation so many times.
  let run: @Sendable (_ count: Int) async -> Cost

  /// A loop that stays on its thread.
  init(_ loop: @escaping @Sendable (_ count: Int) -> Void) {
    run = { count in
      let (start, allocated) = (ContinuousClock.now, allocated_blocks())
      loop(count)
      let (end, allocatedSince) = (ContinuousClock.now, allocated_blocks() - allocated)
      return Cost(
        nanoseconds: (end - start).nanoseconds,
        allocations: allocations_are_counted() ? allocatedSince : nil)
    }
  }

  /// A loop that suspends, and so may go on in another thread.
  init(suspending loop: @escaping @Sendable (_ count: Int) async -> Void) {
    batch = 4
    run = { count in
      let start = ContinuousClock.now
      await loop(count)
      return Cost(nanoseconds: (ContinuousClock.now - start).nanoseconds)
    }
  }

  /// The same loop in several threads at once; the time is that from the first one's start to the
  /// last one's end, so that it is least where they did run at once.
  init(threads: Int, _ loop: @escaping @Sendable (_ count: Int) -> Void) {
    batch = 4
    run = { count in
      let ready = Atomic(0)
      let times = Mutex<[ContinuousClock.Instant]>([])
      let ended = DispatchGroup()
      for _ in 0..<threads {
        ended.enter()
        Thread {
          ready.add(1, ordering: .acquiringAndReleasing)
          while ready.load(ordering: .acquiring) < threads { sched_yield() }
          let start = ContinuousClock.now
          loop(count)
          let end = ContinuousClock.now
          times.withLock { $0 += [start, end] }
          ended.leave()
        }.start()
      }
      // Nothing else is to be done in this task's thread.
      ended.wait()
      let sorted = times.withLock { $0.sorted() }
      return Cost(nanoseconds: (sorted[sorted.count - 1] - sorted[0]).nanoseconds)
    }
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
