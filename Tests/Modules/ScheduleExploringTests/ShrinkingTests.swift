import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A shrunk schedule", .tooLongUnderSanitizers)
struct ShrinkingTests {
  /// The order of the steps of some tasks.
  private struct Order {
    var steps: [String] = []

    /// Whether the first step came before the second.
    func has(_ first: String, before second: String) -> Bool {
      guard let first = steps.firstIndex(of: first), let second = steps.firstIndex(of: second)
      else { return false }
      return first < second
    }
  }

  /// Explores tasks that have a name and a number of steps, and fails if their order is wrong.
  private static func tasks(
    _ counts: KeyValuePairs<String, Int>, failIf isWrong: @escaping @Sendable (Order) -> Bool
  ) -> ScheduleRunner {
    let tasks = counts.map { (name: $0, count: $1) }
    return ScheduleRunner([]) {
      let order = Shared(Order())
      await withDiscardingTaskGroup { group in
        for (name, count) in tasks {
          group.addTask {
            for step in 1...count {
              order.update { $0.steps.append("\(name)\(step)") }
              await Task.yield()
            }
          }
        }
      }
      try require(!isWrong(order.value), "the order is wrong")
    }
  }

  /// Shrinks the first failing schedule of random ones.
  private func shrink(
    _ runner: ScheduleRunner, seed: UInt64 = 0
  ) async throws -> (found: ScheduleResult, shown: ScheduleResult) {
    for number in 0..<1_000 {
      let found = await runner.run(
        UniformOrder(numbers: SplitMix64(seed: seed, number: number)),
        seed: seed &+ UInt64(number) &+ 1)
      if found.failures.isEmpty { continue }
      var shrinking = Shrinking(found, runner, runs: 1_000, steps: .max)
      await shrinking.run()
      return (found, await runner.traced(shrinking.schedule))
    }
    throw WentWrong(description: "no schedule fails")
  }

  @Test("can't do without any of its switches, and can't run an older job at one")
  func minimal() async throws {
    // Two tasks pass the ones before them, so no single task that runs ahead is enough.
    let runner = Self.tasks(["a": 4, "b": 4, "c": 4, "d": 4]) {
      $0.has("b2", before: "a2") && $0.has("d3", before: "c3")
    }
    for seed in 0..<20 as Range<UInt64> {
      let (found, shown) = try await shrink(runner, seed: seed)
      let switches = shown.schedule.switches
      #expect(switches.count < found.schedule.switches.count)
      #expect(shown.failures == found.failures)
      for index in switches.indices {
        var simpler = switches
        simpler[index].index -= 1
        if simpler[index].index == 0 { simpler.remove(at: index) }
        let result = await runner.traced(Schedule(switches: simpler))
        #expect(result.failures != found.failures, "\(switches) could be \(simpler)")
      }
    }
  }

  @Test("lets one task run ahead of the others, for as short as possible")
  func ahead() async throws {
    let runner = Self.tasks(["a": 3, "b": 9]) { $0.has("b6", before: "a2") }
    for seed in 0..<20 as Range<UInt64> {
      let (found, shown) = try await shrink(runner, seed: seed)
      #expect(shown.failures == found.failures)
      let switches = shown.schedule.switches
      #expect(switches.count == 5, "\(switches)")
    }
  }

  @Test("has a seed only if the random numbers matter")
  func seed() async throws {
    func failing(ifNumber isWrong: @escaping @Sendable (UInt64) -> Bool) -> ScheduleRunner {
      ScheduleRunner([]) {
        let number = DependencyScope.current.randomNumberGenerator.next()
        let order = Shared("")
        try await sideBySide({ order.update { $0 += "a" } }, { order.update { $0 += "b" } })
        try require(order.value == "ab" || !isWrong(number), "the order is wrong")
      }
    }
    let order = try await shrink(failing { _ in true })
    #expect(order.found.schedule.seed != 0)
    #expect(order.shown.schedule.seed == 0)
    var withoutSeed = SplitMix64(seed: 0)
    let harmless = withoutSeed.next()
    let both = try await shrink(failing { $0 != harmless })
    #expect(both.found.schedule.seed != 0)
    #expect(both.shown.schedule.seed == both.found.schedule.seed)
    #expect(both.shown.failures == both.found.failures)
  }

  @Test("of many switches needs few schedules if one switch is enough")
  func manySwitches() async throws {
    let runs = Shared(0)
    let runner = Self.tasks(["a": 100, "b": 100]) {
      runs.update { $0 += 1 }
      return $0.has("b1", before: "a1")
    }
    let found = try await shrink(runner).found
    #expect(found.schedule.switches.count > 50)
    var shrinking = Shrinking(found, runner)
    runs.update { $0 = 0 }
    await shrinking.run()
    #expect(shrinking.schedule.switches == [.init(choice: 2, index: 1)])
    #expect(runs.value <= 30, "\(runs.value) runs")
  }

  @Test("loses what it doesn't need, even if no half of its switches can go")
  func spread() async throws {
    // The tasks take turns, and some switches far from each other change whose turn is first.
    let runner = Self.tasks(["a": 30, "b": 30]) {
      $0.has("b2", before: "a2") && $0.has("a15", before: "b15") && $0.has("b29", before: "a29")
    }
    let found = try await shrink(runner).found
    var shrinking = Shrinking(found, runner, runs: 300)
    await shrinking.run()
    let counts = (found.schedule.switches.count, shrinking.schedule.switches.count)
    #expect(counts.0 > 20 && counts.1 < 10, "\(counts)")
  }

  @Test("is the simplest so far when the limit of schedules or of steps is reached")
  func limits() async throws {
    let runs = Shared(0)
    let runner = Self.tasks(["a": 4, "b": 4, "c": 4, "d": 4]) {
      runs.update { $0 += 1 }
      return $0.has("b2", before: "a2") && $0.has("d3", before: "c3")
    }
    let found = try await shrink(runner).found
    /// Returns the number of schedules that it tries.
    func tries(_ shrinking: Shrinking) async -> Int {
      var shrinking = shrinking
      runs.update { $0 = 0 }
      await shrinking.run()
      let count = runs.value
      #expect(await runner.traced(shrinking.schedule).failures == found.failures)
      return count
    }
    let all = await tries(Shrinking(found, runner, steps: .max))
    #expect(all > 20)
    #expect(await tries(Shrinking(found, runner, steps: 0)) == 0)
    for limit in stride(from: 0, to: all, by: 5) {
      let shrinking = Shrinking(found, runner, runs: limit, steps: .max)
      #expect(await tries(shrinking) == limit)
    }
  }

  /// The fewest failing calls of a schedule that fails, and the fewest switches with these.
  private func fewest(_ runner: ScheduleRunner) async -> (calls: Int, switches: Int) {
    var (all, fewest) = (ExhaustiveSearch(), (calls: Int.max, switches: Int.max))
    var next = Schedule.plain as Schedule?
    while let schedule = next {
      let result = await runner.run(.given(schedule), seed: 0)
      if !result.failures.isEmpty {
        let (calls, switches) = (result.record.failedCalls, result.record.switches.count)
        if (calls, switches) < fewest { fewest = (calls, switches) }
      }
      all.didRun(result.record)
      next = all.next()
    }
    return fewest
  }

  private func expectFewest(_ runner: ScheduleRunner) async throws {
    let fewest = await fewest(runner)
    for seed in 0..<10 as Range<UInt64> {
      let (found, shown) = try await shrink(runner, seed: seed)
      #expect(shown.failures == found.failures)
      #expect(shown.record.failedCalls == fewest.calls, "seed \(seed)")
      #expect(shown.schedule.switches.count == fewest.switches, "seed \(seed)")
    }
  }

  @Test("has as few switches as possible, even if they aren't among those that were found")
  func fewestSwitches() async throws {
    try await expectFewest(
      Self.tasks(["a": 2, "b": 2, "c": 2]) {
        $0.has("c1", before: "a1") || $0.has("b1", before: "a1") && $0.has("c2", before: "a2")
      })
  }

  /// Runs tasks that each call `first` and then `second`, and fails if what happened is wrong.
  private static func calls(
    _ names: [String], failIf isWrong: @escaping @Sendable (Order) -> Bool
  ) -> ScheduleRunner {
    ScheduleRunner([]) {
      let order = Shared(Order())
      let call = interleaved(named: "call", orThrowing: CancellationError()) { (name: String) in
        order.update { $0.steps.append(name) }
      }
      await withDiscardingTaskGroup { group in
        for name in names {
          group.addTask {
            do {
              try await call(name)
            } catch {
              order.update { $0.steps.append("no " + name) }
            }
          }
        }
      }
      try require(!isWrong(order.value), "the order is wrong")
    }
  }

  @Test("has as few failing calls as possible, even if that takes more switches")
  func fewestFailingCalls() async throws {
    try await expectFewest(
      Self.calls(["a", "b"]) {
        $0.steps.contains("no a") && $0.steps.contains("no b") || $0.has("no b", before: "a")
      })
    try await expectFewest(
      Self.calls(["a", "b"]) { $0.steps.contains("no a") || $0.steps == ["b", "a"] })
    try await expectFewest(
      Self.calls(["a", "b"]) { $0.has("b", before: "no b") && $0.has("a", before: "no a") })
  }

  @Test("may have no switches any more after a lower one, if runs differ")
  func withoutTasks() async {
    let runs = Shared(0)
    let runner = ScheduleRunner([]) {
      runs.update { $0 += 1 }
      let order = Shared<[Int]>([])
      await withDiscardingTaskGroup { group in
        // The fourth run lowers the switch.
        let count = runs.value < 4 ? 3 : 0
        for number in 0..<count { group.addTask { order.update { $0.append(number) } } }
      }
      try require(order.value.first == 0, "the order is wrong")
    }
    let last = Schedule(switches: [.init(choice: 0, index: 2)])
    var shrinking = Shrinking(await runner.traced(last), runner)
    await shrinking.run()
    #expect(shrinking.schedule.switches == [])
  }
}
