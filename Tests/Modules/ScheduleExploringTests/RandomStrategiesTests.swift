import StandardDependencies
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Random strategies")
struct RandomStrategiesTests {
  /// Ready jobs of tasks with numbers from 0.
  private func ready(
    _ count: Int, _ strategy: inout some Strategy
  ) async -> Arrivals<ReadyEntries.Entry> {
    var ready = Arrivals<ReadyEntries.Entry>()
    let priorities = (0..<count).map { strategy.priority(of: $0) }
    _ = await WaitingTask.wait { task in
      for number in 0..<count {
        let entry = ReadyEntries.Entry(
          work: .waitingTask(task), task: UInt64(number + 1), number: number, cause: .itself)
        ready.append(entry, priority: priorities[number])
      }
      task.resume(returning: true)
    }
    return ready
  }

  /// The numbers of tasks, by falling priority.
  private func order(_ count: Int, _ strategy: inout RandomPriorities) -> [Int] {
    let priorities = (0..<count).map { strategy.priority(of: $0) }
    return priorities.indices.sorted { priorities[$0] > priorities[$1] }
  }

  @Test(
    "a uniform one lets the running job go on three times out of four, and else any with the same probability"
  )
  func uniform() async {
    var strategy = UniformOrder(numbers: SplitMix64(seed: 1))
    var ready = await ready(4, &strategy)
    func counts(plain: Int) -> [Int] {
      var counts = [0, 0, 0, 0]
      for _ in 0..<4_000 { counts[strategy.choose(among: &ready, plain: plain)] += 1 }
      return counts
    }
    for count in counts(plain: 0) { #expect((900...1_100).contains(count)) }
    for (index, count) in counts(plain: 2).enumerated() {
      #expect((index == 2 ? 3_150...3_350 : 200...300).contains(count))
    }
  }

  @Test("a uniform one lets a call succeed three times out of four, and else do anything")
  func uniformCalls() {
    var strategy = UniformOrder(numbers: SplitMix64(seed: 1))
    var counts = [0, 0, 0]
    for _ in 0..<6_000 { counts[strategy.outcome(of: 3)] += 1 }
    #expect((4_850...5_150).contains(counts[0]))
    for count in counts[1...] { #expect((430...570).contains(count)) }
  }

  @Test("tasks have random priorities, which stay")
  func priorities() {
    var strategy = RandomPriorities(seed: 1, depth: 0, choices: 10)
    let priorities = (0..<100).map { strategy.priority(of: $0) }
    #expect(Set(priorities).count == 100 && priorities != priorities.sorted())
    #expect((0..<100).map { strategy.priority(of: $0) } == priorities)
    var other = RandomPriorities(seed: 2, depth: 0, choices: 10)
    #expect(other.priority(of: 0) != priorities[0])
  }

  @Test("the task with the highest priority runs, until it has run 200 times more")
  func limit() async {
    var strategy = RandomPriorities(seed: 1, depth: 0, choices: 10)
    var ready = await ready(3, &strategy)
    let order = order(3, &strategy)
    let chosen = (0..<620).map { _ in strategy.choose(among: &ready, plain: 0) }
    // Then it's the last, also of those that were the last before.
    #expect(chosen.prefix(202).allSatisfy { $0 == order[0] })
    #expect(chosen[202..<404].allSatisfy { $0 == order[1] })
    #expect(chosen[404..<606].allSatisfy { $0 == order[2] })
    #expect(chosen[606...].allSatisfy { $0 == order[0] })
  }

  @Test("a task that takes turns runs as long as it likes")
  func turns() async {
    var strategy = RandomPriorities(seed: 1, depth: 0, choices: 10)
    var two = await ready(2, &strategy)
    var three = await ready(3, &strategy)
    let highest = (three.highest, two.highest)
    // The third task has the highest priority, and isn't always ready.
    #expect(highest.0 == 2)
    for number in 0..<900 {
      let isTogether = number % 100 != 0
      let chosen =
        isTogether
        ? strategy.choose(among: &three, plain: 0) : strategy.choose(among: &two, plain: 0)
      #expect(chosen == (isTogether ? highest.0 : highest.1))
    }
  }

  @Test("after 1,000 choices by priority, the plain order decides 200 times")
  func byAge() async {
    var strategy = RandomPriorities(seed: 1, depth: 0, choices: 10)
    var ready = await ready(3, &strategy)
    // No task has the index 3, so only the plain order chooses it.
    let chosen = (0..<2_400).map { _ in strategy.choose(among: &ready, plain: 3) == 3 }
    for (number, isPlain) in chosen.enumerated() {
      #expect(isPlain == (number % 1_200 >= 1_000), "choice \(number)")
    }
  }

  @Test("a task loses its priority, and a call fails, at as many choices as the depth says")
  func changes() async {
    var strategy = RandomPriorities(seed: 1, depth: 1, choices: 1)
    var ready = await ready(3, &strategy)
    let order = order(3, &strategy)
    let chosen = (0..<4).map { _ in strategy.choose(among: &ready, plain: 0) }
    #expect(chosen == [order[1], order[1], order[1], order[1]])
    for seed in 0..<20 as Range<UInt64> {
      var strategy = RandomPriorities(seed: seed, depth: 3, choices: 10_000)
      let failed = (0..<10_000).count { _ in strategy.outcome(of: 2) == 1 }
      #expect(failed == 3, "seed \(seed)")
    }
  }

  @Test("a call fails with each of its errors")
  func errors() {
    let outcomes = (0..<100).map { seed in
      var strategy = RandomPriorities(seed: UInt64(seed), depth: 1, choices: 1)
      return strategy.outcome(of: 4)
    }
    #expect(Set(outcomes) == [1, 2, 3])
  }
}
