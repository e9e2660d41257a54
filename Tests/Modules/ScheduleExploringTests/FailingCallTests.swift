import ComposableReducers
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private enum Problem: Error, CaseIterable { case offline, timedOut }

/// Creates a call that may fail, and that notes when its body runs.
private func call(
  _ log: Shared<String>, errors: Int = 1, failing: CallFailure = .beforeOrAfterBody
) -> @Sendable (String) async throws -> Void {
  let note = { @Sendable (name: String) in log.update { $0 += name } }
  return errors == 1
    ? interleaved(named: "save", orThrowing: Problem.timedOut, failing: failing) { note($0) }
    : interleaved(named: "save", orThrowing: Problem.offline, Problem.timedOut, failing: failing) {
      note($0)
    }
}

/// Makes a call, and notes how it failed.
private func attempt(
  _ name: String, _ log: Shared<String>, _ call: @Sendable (String) async throws -> Void
) async {
  do {
    try await call(name)
  } catch {
    log.update { $0 += "(\(name): \(error))" }
  }
}

@Suite("Calls that fail (rule 37)", .tooLongUnderSanitizers)
struct FailingCallTests {
  @Test(
    "rule 37: an exploration lets each of several calls succeed and fail in each way, each once",
    .needsWholeSight,
    arguments: 1...3, [CallFailure.beforeBody, .afterBody, .beforeOrAfterBody])
  func inARow(count: Int, failing: CallFailure) async throws {
    for errors in 1...2 {
      let (results, exploration) = try await explored {
        let log = Shared("")
        let call = call(log, errors: errors, failing: failing)
        for number in 0..<count { await attempt("\(number)", log, call) }
        return log.value
      }
      let outcomes = 1 + errors * (failing == .beforeOrAfterBody ? 2 : 1)
      let all = Array(repeating: outcomes, count: count).reduce(1, *)
      #expect(results.count == all && exploration.schedules == all, "\(exploration)")
      #expect(exploration.isExhaustive)
      let text =
        "all \(all) orders of its tasks' steps and failing calls, with at most"
        + " \(exploration.choices.counted("choice"))"
      #expect("\(exploration)" == text)
    }
  }

  @Test("a call fails before its body, which doesn't run, or after it")
  func places() async throws {
    func results(_ failing: CallFailure) async throws -> Set<String> {
      try await explored {
        let log = Shared("")
        await attempt("a", log, call(log, failing: failing))
        return log.value
      }.results
    }
    #expect(try await results(.beforeBody) == ["a", "(a: timedOut)"])
    #expect(try await results(.afterBody) == ["a", "a(a: timedOut)"])
    #expect(try await results(.beforeOrAfterBody) == ["a", "(a: timedOut)", "a(a: timedOut)"])
  }

  @Test(
    "a call with no argument and one with two fail in the same ways",
    arguments: [CallFailure.beforeBody, .afterBody, .beforeOrAfterBody])
  func arguments(failing: CallFailure) async throws {
    let (results, _) = try await explored {
      let log = Shared("")
      let none = interleaved(
        orThrowing: Problem.offline, Problem.timedOut, failing: failing
      ) { log.update { $0 += "none" } }
      let two = interleaved(
        orThrowing: Problem.offline, Problem.timedOut, failing: failing
      ) { (first: Int, second: Int) in log.update { $0 += "\(first + second)" } }
      await attempt("a", log) { _ in try await none() }
      await attempt("b", log) { _ in try await two(1, 2) }
      return log.value
    }
    let outcomes = 1 + 2 * (failing == .beforeOrAfterBody ? 2 : 1)
    #expect(results.count == outcomes * outcomes && results.contains("none3"), "\(results)")
  }

  @Test(
    "rule 37: tasks whose calls may fail have as many orders as their steps and failures allow",
    .needsWholeSight)
  func sideBySideCalls() async throws {
    let (results, exploration) = try await explored {
      let log = Shared("")
      let call = call(log)
      await withDiscardingTaskGroup { group in
        for name in ["a", "b"] { group.addTask { await attempt(name, log, call) } }
      }
      return log.value
    }
    // A call that fails before its body takes two steps, and any other three.
    #expect(exploration.schedules == 6 + 4 * 10 + 4 * 20, "\(exploration)")
    #expect(exploration.isExhaustive)
    #expect(results.contains("ab(a: timedOut)") && results.contains("(b: timedOut)a"))
  }

  @Test("a body that throws fails with its own error, and in no other way after it")
  func ownErrors() async throws {
    let (results, exploration) = try await explored {
      let call: @Sendable () async throws -> Void = interleaved(orThrowing: Problem.timedOut) {
        throw Problem.offline
      }
      let error = await #expect(throws: Problem.self) { try await call() }
      return error
    }
    #expect(results == [.timedOut, .offline] && exploration.schedules == 2, "\(exploration)")
  }

  @Test("every call succeeds in the plain order, in a task without the test's scope, and elsewhere")
  func success() async throws {
    let log = Shared("")
    let call = call(log)
    for name in ["a", "b"] { try await call(name) }
    #expect(log.value == "ab")
    let plain = await ScheduleRunner([]) {
      for name in ["c", "d"] { try await call(name) }
    }.traced(.plain)
    #expect(plain.failures.isEmpty && plain.record.choices.map(\.width) == [2, 2, 2, 2])
    #expect(log.value == "abcd")
    let exploration = try await explore {
      try await Task.detached { try await call("") }.value
      await QueueActor().run { _ in await attempt("", log, call) }
    }
    #expect(!exploration.hasCalls && log.value == "abcd", "\(exploration)")
  }

  private static let tasks = { @Sendable (log: Shared<String>) in
    let call = call(log, errors: 2)
    try await sideBySide(
      {
        await attempt("a", log, call)
        await attempt("b", log, call)
      }, { await attempt("c", log, call) })
  }

  @Test("rule 37: an exploration runs every order with as many switches and failures as it says")
  func bound() async throws {
    let logs = Shared<Set<String>>([])
    let runner = ScheduleRunner([]) {
      let log = Shared("")
      try await Self.tasks(log)
      logs.update { $0.insert(log.value) }
    }
    var (all, next) = (ExhaustiveSearch(), Schedule.plain as Schedule?)
    var counts = [0, 0, 0]
    while let schedule = next, schedule.switches.count < counts.count {
      counts[schedule.switches.count] += 1
      all.didRun(await runner.run(.given(schedule), seed: 0).record)
      next = all.next()
    }
    let expected = logs.value
    for (limit, bound) in [
      (2 * counts.reduce(0, +), 2), (2 * counts.reduce(0, +) - 1, 1), (counts[0] + counts[1], 0),
    ] {
      logs.update { $0 = [] }
      let exploration = try #require(await runner.search(limit).exploration)
      #expect(exploration.switches == bound && !exploration.isExhaustive, "\(exploration)")
      if bound == 2 {
        #expect(logs.value.isSuperset(of: expected))
        #expect("\(exploration)".contains(": every order with at most 2 switches or failures, and"))
      } else if bound == 1 {
        #expect("\(exploration)".contains(": every order with at most 1 switch or failure, and"))
      }
    }
  }

  @Test("rule 37: a token repeats which calls fail, and how, from every strategy")
  func replay() async throws {
    let log = Shared(Shared(""))
    let runner = ScheduleRunner([]) {
      let new = Shared("")
      log.update { $0 = new }
      try await Self.tasks(new)
    }
    var (all, failed) = (Set<String>(), [Set<Int>(), Set<Int>()])
    for seed in 0..<200 as Range<UInt64> {
      let strategy: any Strategy =
        seed % 2 == 0
        ? UniformOrder(numbers: SplitMix64(seed: seed))
        : RandomPriorities(seed: seed, depth: Int(seed / 2 % 4), choices: 12)
      let found = await runner.run(strategy, seed: 0, tracing: .steps)
      let value = log.value.value
      let token = ScheduleToken(found.schedule, foundIn: found.record)
      let parsed = try #require(ScheduleToken(token.text))
      let again = await runner.traced(parsed.schedule)
      #expect(parsed.fits(again.record) && again.isSame(as: found))
      #expect(again.trace?.shape == found.trace?.shape && log.value.value == value)
      all.insert(value)
      failed[Int(seed % 2)].insert(found.record.failedCalls)
    }
    #expect(
      all.count > 50 && failed.allSatisfy { $0.isSuperset(of: [0, 1, 2]) }, "\(all.count) \(failed)"
    )
  }

  @Test("a report counts failing calls, and names what they throw and whether their body has run")
  func report() async throws {
    let found = try await recordedIssues {
      _ = try? await explore {
        let log = Shared("")
        let call = call(log)
        try await sideBySide({ await attempt("a", log, call) }, { await attempt("b", log, call) })
        try require(!log.value.hasPrefix("ba(a"), log.value)
      }
    }
    let report = try #require(found.last?.message)
    #expect(
      report.contains(
        ". Shrunk to 1 switch and 1 failing call (▸): a task runs before one that was ready earlier.\n"
      ),
      "\(report)")
    #expect(
      report.contains("  task 1: save throws Problem.timedOut after it has run\n"), "\(report)")
    let other = try await recordedIssues {
      _ = try? await explore {
        let fail: @Sendable () async throws -> Void = interleaved(
          named: "load", orThrowing: WentWrong(description: "no answer"), failing: .beforeBody
        ) {}
        try await fail()
      }
    }
    let text = try #require(other.last?.message)
    #expect(text.contains(". Shrunk to 1 failing call (▸).\n"), "\(text)")
    #expect(text.contains("\n▸      3  test: load throws no answer before it runs\n"), "\(text)")
  }

  private enum Action: Equatable { case like, failed }

  @Test("rule 37: the calls of a TestStore's effects fail in every order", .needsWholeSight)
  func store() async throws {
    let (results, exploration) = try await explored {
      let log = Shared("")
      let save = call(log)
      let reducer = Reducer<Int, Action, Void> { likes, action, _ in
        switch action {
        case .like:
          likes += 1
          return .run { [likes] send in
            do { try await save("\(likes)") } catch { await send(.failed) }
          }
        case .failed:
          likes -= 1
          return .none
        }
      }
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      store.exhaustivity = .off
      await store.send(.like)
      await store.send(.like)
      await store.finish()
      await store.skipReceivedActions(strict: false)
      return "\(log.value) \(store.state)"
    }
    // `send` runs an effect as far as it can, so the second one sees how the first has ended.
    #expect(results == ["12 2", "12 1", "11 1", "11 0", "1 1", "1 0", " 0"])
    #expect(exploration.isExhaustive && exploration.schedules >= 9, "\(exploration)")
  }
}
