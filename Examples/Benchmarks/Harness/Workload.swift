internal import AllocationCounter

/// An operation, done as many times as it is told.
struct Workload: Sendable {
  /// What one run took.
  struct Cost {
    var nanoseconds: Double
    /// Blocks allocated by the calling thread; nothing where that is not all of them.
    var allocations: Int?
  }

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
    run = { count in
      let start = ContinuousClock.now
      await loop(count)
      return Cost(nanoseconds: (ContinuousClock.now - start).nanoseconds, allocations: nil)
    }
  }

  /// The same loop in several tasks at once; the time is that of each, while the others run.
  init(tasks: Int, _ loop: @escaping @Sendable (_ count: Int) -> Void) {
    self.init(suspending: { count in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks { group.addTask { loop(count) } }
      }
    })
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
