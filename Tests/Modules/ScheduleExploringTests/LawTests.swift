import Foundation
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Schedules (rule 37)", .tooLongUnderSanitizers)
struct LawTests {
  private static func independent(_ jobs: [Int]) -> ScheduleRunner {
    ScheduleRunner([]) { await runTasks(jobs) }
  }

  @Test(
    "independent tasks have as many schedules as the multinomial coefficient",
    arguments: [
      [1], [1, 1], [2, 1], [2, 2], [3, 2], [4, 4], [1, 1, 1], [2, 2, 2], [3, 2, 1], [1, 1, 1, 1],
      [2, 2, 1, 1], [5, 3], [1, 7],
    ])
  func multinomialLaw(jobs: [Int]) async {
    let traces = await Self.independent(jobs).allTraces()
    #expect(traces.count == multinomial(jobs))
    #expect(Set(traces).count == traces.count)
  }

  @Test("an exploration of a small test runs all of its schedules, and says so", .needsWholeSight)
  func exhaustive() async throws {
    // Up to a tenth of the limit is for random schedules.
    let exploration = await Self.independent([3, 3, 2]).search(630).exploration
    #expect(exploration?.schedules == 560 && exploration?.isExhaustive == true)
    let text = "all 560 orders of its tasks' steps, with at most 7 choices"
    #expect("\(try #require(exploration))" == text)
    let partial = await Self.independent([3, 3, 2]).search(559).exploration
    #expect(partial?.schedules == 559 && partial?.isExhaustive == false)
    #expect(
      "\(await Self.independent([1]).search(8).exploration!)"
        == "the only order of its tasks' steps"
    )
  }

  @Test(
    "an exploration that isn't exhaustive runs every schedule with as few switches as it says",
    .needsWholeSight)
  func bound() async throws {
    let jobs = [6, 6, 6]
    var (all, next) = (ExhaustiveSearch(), Schedule.plain as Schedule?)
    // The tokens of the schedules with none, one and two switches.
    var tokens: [Set<String>] = [[], [], []]
    while let schedule = next, schedule.switches.count < tokens.count {
      all.didRun(await Self.independent(jobs).run(.given(schedule), seed: 0).record)
      tokens[schedule.switches.count].insert(ScheduleToken(schedule).text)
      next = all.next()
    }
    let counts = tokens.map(\.count)
    let (one, two) = (counts[0] + counts[1], counts.reduce(0, +))
    for (limit, bound) in [(2 * two, 2), (2 * two - 1, 1), (one, 0)] {
      let found = Shared<Set<String>>([])
      let runner = ScheduleRunner([]) {
        let run = JobOrder.explored!
        await runTasks(jobs)
        found.update { $0.insert(ScheduleToken(Schedule(switches: run.record.switches)).text) }
      }
      let exploration = try #require(await runner.search(limit).exploration)
      #expect(exploration.switches == bound && exploration.schedules == limit, "\(exploration)")
      #expect(exploration.randomSchedules == limit - counts[0...bound].reduce(0, +))
      #expect(found.value.isSuperset(of: tokens[0...bound].joined()))
    }
    let runner = Self.independent(jobs)
    let text = "\(try #require(await runner.search(200).exploration))"
    #expect(
      text == """
        200 schedules with at most 17 choices: every order with at most 1 switch, and 166 random ones
        """)
  }

  @Test("a test that doesn't repeat isn't explored exhaustively, and says so", .needsWholeSight)
  func randomness() async throws {
    let number = Shared(0)
    let isOdd = { @Sendable in
      number.update { $0 += 1 }
      return number.value % 2 == 1
    }
    let bodies: [@Sendable () async -> Void] = [
      { if isOdd() { await Task.yield() } },
      { await runTasks(isOdd() ? [2, 2] : [2]) },
      { await runTasks(isOdd() ? [1, 1, 2] : [1, 1, 1]) },
    ]
    for body in bodies {
      let exploration = try #require(await ScheduleRunner([], body).search(50).exploration)
      #expect(!exploration.isExhaustive && !exploration.isRepeatable)
      #expect(
        "\(exploration)"
          == "50 schedules, although the same schedule doesn't always take the same steps")
    }
  }

  @Test(
    "the same token gives the same trace and the same result, from every strategy", .needsYields)
  func replay() async throws {
    let count = ProcessInfo.processInfo.environment["PROGRAMS"].flatMap { Int($0) } ?? 100
    var (tasks, changed) = (0, 0)
    for seed in 0..<UInt64(count) {
      let report = Shared<[String]>([])
      let runner = ScheduleRunner([]) {
        let lines = await RandomTasks(seed: seed).run()
        report.update { $0 = lines }
      }
      _ = await runner.traced(.plain)
      let plain = report.value
      let strategy: any Strategy =
        seed / 2 % 2 == 0
        ? UniformOrder(numbers: SplitMix64(seed: seed))
        : RandomPriorities(seed: seed, depth: Int(seed % 4), choices: 40)
      let found = await runner.run(strategy, seed: seed, tracing: .steps)
      #expect(found.findings.outsideCount == 0, "seed \(seed)")
      let result = report.value
      let token = ScheduleToken(found.schedule, foundIn: found.record).text
      for _ in 0..<3 {
        let parsed = try #require(ScheduleToken(token))
        let again = await runner.traced(parsed.schedule)
        #expect(parsed.fits(again.record), "seed \(seed)")
        #expect(again.trace?.shape == found.trace?.shape, "seed \(seed)")
        #expect(report.value == result, "seed \(seed)")
        #expect(again.isSame(as: found), "seed \(seed)")
      }
      tasks += found.trace?.tasks.count ?? 0
      if result != plain { changed += 1 }
    }
    #expect(tasks > 3 * count && changed > count / 2)
  }

  @Test("the empty token is the plain order")
  func plain() async throws {
    let plain = try #require(ScheduleToken(""))
    let result = await Self.independent([4, 4, 4]).traced(plain.schedule)
    #expect(result.record.choices.count > 5 && result.record.choices.allSatisfy { $0.pick == 0 })
    #expect(plain.fits(result.record))
    #expect(ScheduleToken(.plain, foundIn: result.record).text == "")
  }

  @Test("a shrunk schedule fails as the one that was found, not as a simpler one does")
  func shrunk() async throws {
    let runner = ScheduleRunner([]) {
      let order = Shared("")
      try await sideBySide(
        { order.update { $0 += "a" } }, { order.update { $0 += "b" } },
        { order.update { $0 += "c" } })
      if order.value == "cba" { throw WentWrong(description: "reversed") }
      if order.value != "abc" { throw CancellationError() }
    }
    let reversed = [Schedule.Switch(choice: 3, index: 2), Schedule.Switch(choice: 4, index: 1)]
    let found = await runner.traced(Schedule(switches: reversed))
    #expect(found.failures == [RunFailure(kind: "it threw WentWrong", place: "")])
    var shrinking = Shrinking(found, runner, runs: 300)
    await shrinking.run()
    #expect(await runner.traced(shrinking.schedule).failures == found.failures)
  }

  @Test("a token is the same on every machine and in every version")
  func tokenText() throws {
    var record = ChoiceRecord()
    for (pick, width) in [(0, 2), (1, 3), (1, 3), (2, 3), (0, 4), (2, 4)] {
      record.didChoose(pick, of: width)
    }
    var schedule = Schedule(switches: record.switches)
    let token = ScheduleToken(schedule, foundIn: record)
    #expect(token.text == "1-2.1+3.2+5.2/6/37fc9c")
    #expect(ScheduleToken(token.text) == token)
    schedule.seed = 0xABC
    let seeded = ScheduleToken(schedule, foundIn: record)
    #expect(seeded.text == token.text + "/abc")
    #expect(ScheduleToken(seeded.text) == seeded)
  }

  @Test("a token fits any run with the same choices and the same jobs at each, and no other")
  func fits() {
    func record(_ choices: [(pick: Int, width: Int)]) -> ChoiceRecord {
      var record = ChoiceRecord()
      for choice in choices { record.didChoose(choice.pick, of: choice.width) }
      return record
    }
    let found = record([(1, 2), (2, 3)])
    let token = ScheduleToken(Schedule(switches: found.switches), foundIn: found)
    #expect(token.fits(found))
    #expect(!token.fits(record([(1, 2), (1, 3)])))
    #expect(!token.fits(record([(1, 2), (2, 4)])))
    #expect(!token.fits(record([(2, 3), (1, 2)])))
    #expect(token.fits(record([(1, 2), (0, 1), (2, 3), (0, 1)])))
    #expect(!token.fits(record([(1, 2), (2, 3), (0, 2)])))
    #expect(!token.fits(record([(1, 2)])))
  }

  @Test("tasks that run in turns don't keep the one from running that stops them")
  func fairness() async {
    let runner = ScheduleRunner([]) {
      let isStopped = Shared(false)
      let (pings, ping) = AsyncStream<Void>.makeStream()
      let (pongs, pong) = AsyncStream<Void>.makeStream()
      async let first: Void = {
        for await _ in pings where !isStopped.value { pong.yield() }
      }()
      async let second: Void = {
        for await _ in pongs { ping.yield() }
      }()
      ping.yield()
      for _ in 0..<3 { await Task.yield() }
      isStopped.update { $0 = true }
      ping.finish()
      pong.finish()
      _ = await (first, second)
    }
    for seed in 0..<10 as Range<UInt64> {
      let strategy = RandomPriorities(seed: seed, depth: 0, choices: 10)
      let result = await runner.run(strategy, seed: seed)
      #expect(result.failures.isEmpty, "seed \(seed): \(result.failures)")
    }
  }

  @Test("the same seed gives the same schedules")
  func seeds() async throws {
    let runner = ScheduleRunner([], OrderingBug.checkThenAct.buggy)
    for seed in 0..<10 as Range<UInt64> {
      let first = try #require(await runner.search(200, seed: seed).finding)
      let second = try #require(await runner.search(200, seed: seed).finding)
      #expect(first.number == second.number && first.result.isSame(as: second.result))
    }
  }
}
