import Foundation
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

extension ScheduleRunner {
  /// Runs one schedule with a trace.
  func traced(_ schedule: Schedule) async -> ScheduleResult {
    await run(schedule, tracing: .steps)
  }

  /// Searches for a failing schedule.
  func search(_ limit: Int, seed: UInt64 = 0) async -> ScheduleSearch.Outcome {
    var search = ScheduleSearch(self, limit: limit, seed: seed)
    return await search.run()
  }

  /// Returns all schedules, each as its trace.
  func allTraces(limit: Int = 100_000) async -> [[String]] {
    var (all, traces) = (ExhaustiveSearch(), [[String]]())
    var next: Schedule? = .plain
    while let schedule = next, traces.count < limit {
      let result = await traced(schedule)
      traces.append(result.trace?.shape ?? [])
      all.didRun(result.record)
      next = all.next()
    }
    return all.isBroken ? [] : traces
  }
}

extension ScheduleTrace {
  /// Equal for runs in which tasks with the same numbers did the same.
  var shape: [String] {
    steps.map { step in
      "\(tasks.firstIndex(of: step.task) ?? -1) \(text(of: step.cause)) \(step.passedCount)"
    }
  }
}

extension ScheduleSearch.Outcome {
  var finding: ScheduleSearch.Finding? {
    if case .found(let finding) = self { finding } else { nil }
  }

  var exploration: Exploration? {
    if case .passed(let exploration) = self { exploration } else { nil }
  }
}

/// Runs child tasks that have these numbers of jobs.
func runTasks(_ jobs: [Int]) async {
  await withDiscardingTaskGroup { group in
    for count in jobs { group.addTask { for _ in 1..<count { await Task.yield() } } }
  }
}

/// Explores a body, and returns the different results of its schedules.
func explored<R: Hashable & Sendable>(
  _ body: @escaping @Sendable () async throws -> R
) async throws -> (results: Set<R>, exploration: Exploration) {
  let results = Shared<Set<R>>([])
  let exploration = try await explore {
    let result = try await body()
    results.update { $0.insert(result) }
  }
  return (results.value, exploration)
}

/// Expects a number of issues, the last of which contains some texts.
@discardableResult
func expectIssues(
  _ count: Int = 1, containing texts: String...,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  of operation: () async throws -> Void
) async throws -> [Failure] {
  let found = try await recordedIssues(of: operation)
  try #require(found.count == count, "\(found)", sourceLocation: sourceLocation)
  for text in texts {
    #expect(found.last?.message.contains(text) == true, "\(found)", sourceLocation: sourceLocation)
  }
  return found
}

/// The error of a program that failed.
struct WentWrong: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ problem: String) throws {
  if !condition { throw WentWrong(description: problem) }
}

/// Sleeps on the clock of the current scope.
func sleep(_ duration: Duration) async throws {
  try await DependencyScope.current.continuousClock.sleep(for: duration)
}

/// The time that has passed in the current scope.
var secondsPassed: Double { DependencyScope.current.date().timeIntervalSinceReferenceDate }

/// A lock to be held across suspensions; waiting for it ends when the task is cancelled.
actor AsyncLock {
  private var isHeld = false
  private var waiting: [AsyncStream<Never>.Continuation] = []

  func lock() async {
    guard isHeld else { return isHeld = true }
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    waiting.append(continuation)
    for await _ in stream {}
  }

  func unlock() {
    if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().finish() }
  }
}
