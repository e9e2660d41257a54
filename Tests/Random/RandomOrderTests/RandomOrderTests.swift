import Foundation
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

/// `SEED=… swift test --filter RandomOrder` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of thing happened.
@Suite("Random orders", .tooLongUnderSanitizers, .needsYields, .serialized)
struct RandomOrderTests {
  @Test("rule 37: every program runs in all orders that the model has, in each once")
  func programs() async {
    // These take less time.
    if await checkRandomPrograms(CrossedProgram.self, covering: ["two tests"]).hasFailed { return }
    let hasEnded = Shared(false)
    // Another test at the same time, whose jobs are its own. It uses no global actor, which both would share.
    async let neighbor: Void = explore(
      Independence.taskOnActors.program([2, 1, 1]), until: hasEnded)
    // Each program runs hundreds of times, so `swift test` alone runs few of them.
    let runsAll = ProcessInfo.processInfo.environment["PROGRAMS"] != nil
    await checkRandomPrograms(
      Program.self, where: { runsAll || $0 <= 20 },
      covering: [
        "as many orders", "nothing hidden", "hidden outcomes", "outside", "up to 1 switches",
        "all orders",
        "not all orders", "test", "child", "async let", "Task", "detached", "Task on main",
        "Task on global", "Task here", "immediate", "lock", "failing calls", "plain test",
        "another library",
      ])
    hasEnded.update { $0 = true }
    await neighbor
    // What was left behind rests, after a number of sleeps.
    let runs = Runner.count.load(ordering: .relaxed)
    #expect(Runner.latePolls.load(ordering: .relaxed) <= 2_000 * runs)
  }

  /// `PAIRS=10000 swift test --filter RandomOrderTests/pairs` runs that many.
  @Test("rule 37: tests that share actors keep apart while they run at the same time")
  func pairs() async {
    let file = ProgramPair.file(ofChildrenOf: getpid())
    defer { try? FileManager.default.removeItem(at: file) }
    let result = await #expect(processExitsWith: .success) {
      let runsAll = ProcessInfo.processInfo.environment["PAIRS"] != nil
      await checkRandomPrograms(
        ProgramPair.self, counting: "PAIRS", where: { runsAll || $0 <= 20 },
        covering: ["pair", "all orders", "not all orders"])
    }
    if result == nil, let text = try? String(contentsOf: file, encoding: .utf8) {
      Issue.record("\(text)")
    }
  }

  private func explore(_ program: Program, until hasEnded: Shared<Bool>) async {
    let orders = Model(Code(program), by: .step, remembering: .trace).orders(limit: 1_000)!
    while !hasEnded.value {
      // An exploration rarely suspends, and other tests need its thread.
      for _ in 0..<100 { await Task.yield() }
      let (outcome, traces) = await Search(program).explore(limit: 100)
      guard case .passed(let exploration) = outcome, exploration.isExhaustive,
        exploration.schedules == orders.count, Set(traces) == Set(orders.traces.keys)
      else {
        Issue.record("The test that runs at the same time: \(outcome), \(traces)")
        return
      }
    }
  }

  @Test(
    "rule 37: independent tasks have as many orders as the multinomial coefficient",
    arguments: Independence.allCases,
    [[1, 1], [2, 1], [2, 2], [3, 2], [1, 1, 1], [2, 1, 2], [3, 2, 1], [1, 1, 1, 1]])
  func independent(tasks: Independence, counts: [Int]) async {
    // The test's task is the other one, and waits for several one after the other.
    let counts = tasks == .asyncLet ? Array(counts.prefix(2)) : counts
    let (program, number) = (tasks.program(counts), multinomial(counts))
    let orders = Model(Code(program), by: .step, remembering: .trace).orders(limit: 10_000)
    #expect(orders?.count == number)
    let (outcome, traces) = await Search(program).explore(limit: number + number / 9 + 8)
    guard case .passed(let exploration) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(exploration.isExhaustive && exploration.schedules == number, "\(exploration)")
    let isSame = Set(traces) == orders.map { Set($0.traces.keys) }
    #expect(isSame, "\(exploration)")
  }

  @Test("rule 37: a token gives the same trace in another process")
  func anotherProcess() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        for seed in 1...40 as ClosedRange<UInt64> {
          var choices = Choices(seed: seed)
          let program = Program(&choices)
          // One that may hang would wait for work elsewhere, for a minute.
          if Check.mayHang(program) || Code(program).leaves { continue }
          let run = await Search(program).run(UniformOrder(numbers: SplitMix64(seed: seed)))
          print("run \(seed) \(run.token.text) \(run.trace) \(run.words)")
        }
      })
    let runs = String(decoding: result.standardOutputContent, as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("run ") }
    #expect(runs.count > 20)
    for text in runs {
      let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      var choices = Choices(seed: UInt64(parts[1])!)
      let search = Search(Program(&choices))
      let run = await search.run(.given(ScheduleToken(String(parts[2]))!.schedule))
      #expect("\(run.trace) \(run.words)" == parts[3], "\(text)")
    }
  }
}

extension Program: RandomProgram {
  init(_ choices: inout Choices) { self = Generator.program(&choices) }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    await Check(self).difference(patience: patience, &coverage)
  }
}
