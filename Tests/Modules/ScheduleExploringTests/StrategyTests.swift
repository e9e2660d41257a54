import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("A strategy")
struct StrategyTests {
  /// Chooses among the same tasks again and again.
  private func choices(_ strategy: Strategy, among tasks: [Int], times: Int) -> [Int] {
    var strategy = strategy
    return (0..<times).map { _ in strategy.choose(among: tasks) }
  }

  @Test("of priorities runs one task, any of them, until its priority is lowered")
  func priorities() {
    var (first, changes) = (Set<Int>(), Set<Int>())
    for seed in 0..<200 as Range<UInt64> {
      let priorities = RandomPriorities(seed: seed, depth: 1, choices: 10)
      let choices = choices(.priorities(priorities), among: [7, 8, 9], times: 10)
      first.insert(choices[0])
      let changed = choices.indices.dropFirst().filter { choices[$0] != choices[$0 - 1] }
      #expect(changed.count <= 1, "\(choices)")
      changes.formUnion(changed)
    }
    #expect(first == [0, 1, 2])
    #expect(changes == Set(1..<10))
  }

  @Test("that asks for a younger job than there is runs the youngest")
  func youngest() {
    let given = Schedule(switches: [.init(choice: 1, index: 99)])
    #expect(choices(.given(given), among: [7, 8, 9], times: 3) == [0, 2, 0])
  }

  @Test("that lets a task run ahead runs it for a while, before a number of older jobs at most")
  func ahead() {
    func choices(_ leads: Lead...) -> [Int] {
      self.choices(.ahead(TasksAhead(leads)), among: [0, 1, 2], times: 5)
    }
    #expect(choices(Lead(task: 2, start: 0, passed: 2, length: 2)) == [2, 2, 0, 0, 0])
    #expect(choices(Lead(task: 2, start: 0, passed: 1, length: 2)) == [0, 0, 0, 0, 0])
    #expect(choices(Lead(task: 2, start: 1, passed: 2, length: 2)) == [0, 0, 0, 0, 0])
    #expect(choices(Lead(task: 3, start: 0, passed: 2, length: 2)) == [0, 0, 0, 0, 0])
    let second = Lead(task: 1, start: 0, passed: 1, length: 2)
    #expect(choices(second, Lead(task: 2, start: 0, passed: 2, length: 1)) == [1, 1, 2, 0, 0])
    #expect(choices(Lead(task: 2, start: 0, passed: 2, length: 1), second) == [2, 1, 1, 0, 0])
    // Once it runs ahead, it passes any number of jobs.
    var ahead = Strategy.ahead(TasksAhead([Lead(task: 2, start: 0, passed: 1, length: 2)]))
    #expect([ahead.choose(among: [0, 2]), ahead.choose(among: [0, 1, 2])] == [1, 2])
  }
}
