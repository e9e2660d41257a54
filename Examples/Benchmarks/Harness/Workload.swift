internal import AllocationCounter
import Foundation
import Synchronization

/// An operation that repeats a given number of times.
struct Workload: Sendable {
  /// The cost of one run.
  struct Cost {
    var nanoseconds: Double
    /// The blocks that the calling thread allocated; `nil` if other threads allocate, too.
    var allocations: Int?
    /// Whether the thread had to wait for a processor; unknown if the operation suspends.
    var wasInterrupted = false
  }

  /// The factor by which its batches are longer, so that one-time costs don't matter.
  var batch = 1
  /// Runs the operation a number of times.
  private(set) var run: @Sendable (_ count: Int) async -> Cost

  /// Creates a workload from a loop that stays on its thread.
  init(_ loop: @escaping @Sendable (_ count: Int) -> Void) {
    run = { count in
      let processorTime = processorTimeOfThread
      let (start, allocated) = (ContinuousClock.now, allocated_blocks())
      loop(count)
      let (end, allocatedSince) = (ContinuousClock.now, allocated_blocks() - allocated)
      let nanoseconds = (end - start).nanoseconds
      return Cost(
        nanoseconds: nanoseconds, allocations: allocations_are_counted() ? allocatedSince : nil,
        wasInterrupted: nanoseconds > 1.1 * (processorTimeOfThread - processorTime))
    }
  }

  /// Creates a workload from a closure that runs the operation several times.
  init(each times: Int, _ operations: @escaping @Sendable () -> Void) {
    self.init(each: times, Workload { count in for _ in 0..<count { operations() } })
  }

  /// Creates a workload from a closure that runs the operation several times, and suspends.
  init(each times: Int, suspending operations: @escaping @Sendable () async -> Void) {
    self.init(
      each: times, Workload(suspending: { count in for _ in 0..<count { await operations() } }))
  }

  private init(each times: Int, _ workload: Workload) {
    batch = workload.batch
    run = { count in
      let rounds = (count + times - 1) / times
      var cost = await workload.run(rounds)
      cost.nanoseconds *= Double(count) / Double(rounds * times)
      cost.allocations = cost.allocations.map { $0 * count / (rounds * times) }
      return cost
    }
  }

  /// Creates a workload from a loop that suspends, and so may continue on another thread.
  init(suspending loop: @escaping @Sendable (_ count: Int) async -> Void) {
    batch = 4
    run = { count in
      let start = ContinuousClock.now
      await loop(count)
      return Cost(nanoseconds: (ContinuousClock.now - start).nanoseconds)
    }
  }

  /// Creates a workload from a loop that runs on several threads concurrently.
  ///
  /// Its time is from the first start to the last end, so it's shortest if they really run
  /// concurrently.
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
      // This task's thread has nothing else to do.
      ended.wait()
      let sorted = times.withLock { $0.sorted() }
      return Cost(nanoseconds: (sorted[sorted.count - 1] - sorted[0]).nanoseconds)
    }
  }

}

/// The time for which the running thread had a processor, in nanoseconds.
private var processorTimeOfThread: Double {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
