import StandardDependencies
import Synchronization
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

extension Explorer {
  /// Runs one schedule with a trace.
  func traced(_ schedule: Schedule) async -> ScheduleResult {
    await run(.given(schedule), seed: schedule.seed, isTraced: true)
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

extension ScheduleSearch.Outcome {
  var finding: ScheduleSearch.Finding? {
    if case .found(let finding) = self { finding } else { nil }
  }

  var exploration: Exploration? {
    if case .passed(let exploration) = self { exploration } else { nil }
  }
}
