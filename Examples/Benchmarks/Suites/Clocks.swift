import ComposableTesting

/// Tasks that sleep on a test clock, under what a test's trait does.
extension Catalog {
  static let clocks = [
    Benchmark(
      "limits/clock-wake", "wake one of 10,000 tasks that sleep on a test clock",
      against: "the same of 100", limit: 2
    ) {
      Benchmark.Subject(operation: waking(10_000), yardstick: waking(100))
    }
  ]

  /// Wakes sleeping tasks one after the other, in tests with this many.
  private static func waking(_ sleepers: Int) -> Workload {
    Workload(
      each: sleepers,
      suspending: {
        await withTestDependencies { () async in
          let clock = TestClock()
          await withDiscardingTaskGroup { group in
            for number in 1...sleepers {
              group.addTask { try? await clock.sleep(for: .seconds(number)) }
            }
            await clock.run(wakingAtMost: sleepers)
          }
        }
      })
  }
}
