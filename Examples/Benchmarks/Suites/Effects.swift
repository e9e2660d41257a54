internal import AllocationCounter
import ComposableReducers

/// The cost of effects compared to bare tasks.
extension Catalog {
  static let effects =
    [(1, 3), (10, 4)].map { number, limit in
      Benchmark(
        "effects/run/\(number)", "send, and finish \(number) effects that do nothing",
        against: "a call of an actor that starts as many tasks", limit: limit
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

  static let nestedEffects = Effects.wraps.map { name, title, wrap in
    Benchmark(
      "effects/nested/\(name)", "one of 4,000 levels of \(title)", against: "one of 400",
      limit: 2
    ) {
      Benchmark.Subject(
        operation: Effects.nesting(4_000, wrap), yardstick: Effects.nesting(400, wrap))
    }
  }

  static let effectsBelowOptionals = [
    Benchmark(
      "effects/optionals", "send, and finish an effect below 200 optional pullbacks",
      against: "below 50", limit: 5
    ) {
      Benchmark.Subject(
        operation: Effects.belowOptionals(200), yardstick: Effects.belowOptionals(50))
    }
  ]

  static let effectMemory = [
    Benchmark(
      memory: "memory/sleeping-effect", "an effect that sleeps", against: "a task that sleeps",
      limit: 2
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
