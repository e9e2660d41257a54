import ComposableReducers
import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

/// Runs a program in many orders, and keeps the trace of each.
struct Search: Sendable {
  struct Run: Sendable {
    let result: ScheduleResult
    let trace: Trace

    var token: ScheduleToken { ScheduleToken(result.schedule, foundIn: result.record) }
    /// The steps, in words that are the same in each run.
    var words: [String] { result.trace?.words ?? [] }
  }

  private let program: Program
  private let runner: ScheduleRunner
  /// The runs so far.
  private let runners = Shared<[Runner]>([])

  init(_ program: Program) {
    self.program = program
    // Only work elsewhere takes time, and an actor that other code uses, which may be finishing what ran before.
    let takesTime =
      program.rooms.contains { [.outside, .global, .shared].contains($0) }
      || Code(program).leaves
    let timeout = takesTime ? Duration.seconds(60) : .zero
    runner = ScheduleRunner([], timeout: timeout) { [runners] in
      let runner = Runner(program)
      runners.update { runners in
        _ = runners.last?.close()
        runners.append(runner)
      }
      await runner.run()
    }
  }

  /// Explores as a test does.
  func explore(limit: Int) async -> (ScheduleSearch.Outcome, [Trace]) {
    runners.update { $0 = [] }
    await Task.yield()
    var search = ScheduleSearch(runner, limit: limit, seed: 0)
    let outcome = await search.run()
    return (outcome, runners.value.map { $0.close() })
  }

  func run(_ strategy: any Strategy, seed: UInt64 = 0) async -> Run {
    runners.update { $0 = [] }
    let result = await runner.run(strategy, seed: seed, tracing: .steps)
    return Run(result: result, trace: runners.value.last?.close() ?? [])
  }

  /// Runs the program once, in a test that isn't explored; `nil` if it doesn't end.
  func runPlain(atMost patience: Duration) async -> (trace: Trace, words: [String])? {
    let run = TestRun(order: JobOrder(isWhole: true), root: 0)
    let runner = DependencyScope.current.with { $0.testRun = run }.run { Runner(program) }
    guard await Self.end(runner, in: run, atMost: patience) else { return nil }
    return (runner.close(), run.order.trace?.words ?? [])
  }

  /// Runs the program in two tests at once, each of which resumes tasks of the other.
  ///
  /// - Returns: Whether each has ended, and all of its tasks ran as its own.
  func runCrossed(atMost patience: Duration) async -> Bool {
    await withTaskGroup { group in
      for runner in Runner.pair(program) {
        group.addTask {
          let run = TestRun(order: JobOrder(isWhole: true), root: 0)
          return await Self.end(runner, in: run, atMost: patience)
            && runner.hasRun(on: run.executor)
        }
      }
      return await group.allSatisfy { $0 }
    }
  }

  private static func end(
    _ runner: Runner, in run: TestRun, atMost patience: Duration
  ) async -> Bool {
    let (scope, ended) = (DependencyScope.current.with { $0.testRun = run }, Signal())
    Task(executorPreference: run.executor) {
      await scope.run { await runner.run() }
      ended.raise()
    }
    guard await ended.wait(atMost: patience) else { return false }
    return await run.order.idle(within: Countdown(patience)) == .fulfilled
  }

  /// Runs all schedules, each once; `nil` if there are more than a limit, or if one fails.
  func all(limit: Int) async -> [Run]? {
    var (all, runs) = (ExhaustiveSearch(), [Run]())
    var next: Schedule? = .plain
    while let schedule = next {
      let run = await run(.given(schedule))
      if run.result.findings.isOrder { runs.append(run) }
      all.didRun(run.result)
      if all.known > limit || all.isBroken || !run.result.failures.isEmpty { return nil }
      next = all.next()
    }
    return runs
  }
}

extension ScheduleSearch.Outcome {
  /// Why a program failed, if it did.
  var failures: [String] {
    switch self {
    case .passed: []
    case .found(let finding): finding.result.failures.map(\.text)
    case .cancelled(let error): ["\(error)"]
    }
  }
}

extension ScheduleTrace {
  fileprivate var words: [String] {
    steps.map { step in
      let passed = step.passed.map(title).joined(separator: ", ")
      return
        "\(title(of: step)) \(text(of: step.cause))\(passed.isEmpty ? "" : " before \(passed)")"
    }
  }
}
