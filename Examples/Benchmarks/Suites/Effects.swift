internal import AllocationCounter
import ComposableReducers

/// The cost of effects compared to bare tasks, and of a store's readers.
extension Catalog {
  static let effects =
    [1, 10].map { number in
      Benchmark(
        "effects/run/\(number)", "send, and finish \(number) effects that do nothing",
        against: "a call of an actor that starts as many tasks", limit: 2
      ) {
        Benchmark.Subject(
          operation: Effects.running(number), yardstick: Effects.bareRunning(number))
      }
    }
    + [100, 10_000].map { number in
      Benchmark(
        "effects/sleep/\(number)", "start and cancel one of \(number) sleeping effects",
        against: "one of as many sleeping tasks", limit: 4
      ) {
        Benchmark.Subject(
          operation: Effects.sleeping(number), yardstick: Effects.bareSleeping(number))
      }
    }

  static let readers =
    flat("readers/states", "send, with a reader of states", [10, 1_000, 10_000], "rows") {
      Rows.sendWithReader($0)
    }
    + flat("readers/none", "send, without a reader", [10, 1_000, 10_000], "rows") {
      Rows.send($0)
    }
    + [10, 1_000, 10_000].map { number in
      Benchmark(
        "readers/one/\(number)", "send, with a reader of states; \(number) rows",
        against: "the same without a reader"
      ) {
        Benchmark.Subject(operation: Rows.sendWithReader(number), yardstick: Rows.send(number))
      }
    }
    + flat("readers/children", "send on the main actor", [1, 100, 10_000], "child stores") {
      Rows.sendWithChildren($0, observed: false)
    }
    + [1, 10, 100, 10_000].map { number in
      Benchmark(
        "readers/observed/\(number)", "send on the main actor; \(number) observed child stores",
        against: "the same without one, and as many comparisons by hand", limit: 6
      ) {
        Benchmark.Subject(
          operation: Rows.sendWithChildren(number, observed: true),
          yardstick: Rows.sendAndCompare(number))
      }
    }
    + series("effects/rows", "send", [1, 100, 1_000], "rows with an effect under way") {
      Rows.sendWithEffects($0)
    }

  /// Benchmarks whose cost must not depend on the number.
  private static func flat(
    _ name: String, _ title: String, _ numbers: [Int], _ unit: String,
    _ workload: @escaping @Sendable (Int) -> Workload
  ) -> [Benchmark] {
    numbers.map { number in
      Benchmark(
        "\(name)/\(number)", "\(title); \(number) \(unit)", against: "the same at \(numbers[0])",
        limit: 3
      ) {
        Benchmark.Subject(operation: workload(number), yardstick: workload(numbers[0]))
      }
    }
  }

  static let effectMemory = [
    Benchmark(
      memory: "memory/sleeping-effect", "an effect that sleeps", against: "a task that sleeps",
      limit: 1.5
    ) {
      await bytesOfSleepers { number in
        let store = Effects.store()
        let task = await store.send(.sleep(number))
        return {
          await task.cancelAndFinish()
          withExtendedLifetime(store) {}
        }
      }
    } yardstick: {
      await bytesOfSleepers { number in
        let tasks = await Effects.Bare().sleep(number)
        return { for task in tasks { task.cancel() } }
      }
    }
  ]

  private static func bytesOfSleepers(
    _ start: (Int) async -> () async -> Void
  ) async -> Double? {
    guard allocations_are_counted() else { return nil }
    let number = 10_000
    var bytes = Double.infinity
    for _ in 0..<3 {
      let before = Int(bytes_in_use())
      let end = await start(number)
      await Sleepers.areThere(number)
      bytes = min(bytes, Double(Int(bytes_in_use()) - before) / Double(number))
      await end()
      await Sleepers.areThere(0)
    }
    return bytes
  }
}
