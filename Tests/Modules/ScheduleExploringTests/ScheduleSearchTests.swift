import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The search for a failing schedule (rule 37)")
struct ScheduleSearchTests {
  /// The number of switches of each run of tasks with some numbers of jobs, in the order of the runs.
  private func runs(_ jobs: [Int], limit: Int) async -> [Int] {
    let runs = Shared<[Int]>([])
    let runner = ScheduleRunner([]) {
      let order = JobOrder.explored!
      await runTasks(jobs)
      runs.update { $0.append(order.record.switches.count) }
    }
    _ = await runner.search(limit)
    return runs.value
  }

  @Test("runs random schedules between the others, from the 33rd on", .needsWholeSight)
  func randomOnes() async {
    let counts = await runs([3, 3, 2], limit: 1_000)
    #expect(counts[..<33].allSatisfy { $0 <= 2 } && counts[33] > 2)
    for index in 33..<133 where index.isMultiple(of: 2) { #expect(counts[index] <= 3) }
    #expect((33..<133).count { counts[$0] > 3 } > 40)
  }

  @Test("alternates two kinds of random schedules: of steps, and of priorities", .needsWholeSight)
  func kinds() async {
    let switches = await runs([40, 40], limit: 200).suffix(100)
    // At random, about half of the choices are switches; by priorities, those of a whole task.
    #expect(switches.count { $0 > 60 } > 5, "\(switches)")
    #expect(switches.count { (32...48).contains($0) } > 50, "\(switches)")
  }

  @Test("ends when the test is cancelled, with the error that the test throws", arguments: [1, 3])
  func cancelled(last: Int) async throws {
    let (runs, search) = (Shared(0), Shared<Task<ScheduleSearch.Outcome, Never>?>(nil))
    let runner = ScheduleRunner([]) {
      runs.update { $0 += 1 }
      await runTasks([3, 3])
      if runs.value < last { return }
      search.value?.cancel()
      throw WentWrong(description: "it was cancelled")
    }
    let task = Task {
      while search.value == nil { await Task.yield() }
      return await runner.search(100)
    }
    search.update { $0 = task }
    guard case .cancelled(let error) = await task.value else {
      Issue.record("the search goes on")
      return
    }
    #expect(error is WentWrong && runs.value == last)
  }

  @Test("claims nothing if the plain order differs when it runs again", .needsWholeSight)
  func gaps() async throws {
    // The seventh run, of the plain order once more, differs.
    let runs = Shared(0)
    let runner = ScheduleRunner([]) {
      runs.update { $0 += 1 }
      await runTasks(runs.value == 7 ? [1] : [1, 1])
    }
    let exploration = try #require(await runner.search(100).exploration)
    #expect(!exploration.isExhaustive && !exploration.isRepeatable)
    #expect(exploration.schedules == 100 && exploration.switches == 0)
  }
}
