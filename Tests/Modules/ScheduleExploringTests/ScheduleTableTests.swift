import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The table of a schedule")
struct ScheduleTableTests {
  @Test("shows the beginning, the end and what is around the switches of a long schedule")
  func long() async throws {
    let runner = ScheduleRunner([]) { await runTasks([61, 61]) }
    func lines(_ schedule: Schedule) async throws -> [String] {
      let trace = try #require(await runner.traced(schedule).trace)
      return ScheduleTable(trace: trace).text.split(separator: "\n").map(String.init)
    }
    let plain = try await lines(.plain)
    #expect(plain.count == 21)
    #expect(plain[0] == "       1  test starts")
    #expect(plain[5] == "       6  task 1 continues after a yield")
    #expect(plain[6] == "       …")
    #expect(plain[7] == "     111  task 2 continues after a yield")
    #expect(plain[20] == "     124  test continues, resumed by task 2")
    let changed = try await lines(Schedule(switches: [.init(choice: 62, index: 1)]))
    #expect(changed.count == 33)
    #expect(changed[6] == "       …")
    #expect(changed[7] == "      57  task 2 continues after a yield")
    #expect(changed[12] == "▸     62  task 2 continues after a yield, before task 1")
    #expect(changed[17] == "      67  task 1 continues after a yield")
    #expect(changed[18] == "       …")
    let short = try #require(
      await ScheduleRunner([]) { await runTasks([29, 29]) }.traced(.plain).trace)
    #expect(short.steps.count == 60 && !ScheduleTable(trace: short).text.contains("…"))
  }

  @Test("counts all tasks before which another one runs, and knows the first six")
  func passed() async throws {
    let runner = ScheduleRunner([]) { await runTasks(Array(repeating: 1, count: 10)) }
    let choices = await runner.traced(.plain).record.choices
    let choice = try #require(choices.firstIndex { $0.width == 10 })
    let schedule = Schedule(switches: [.init(choice: choice, index: 9)])
    let trace = try #require(await runner.traced(schedule).trace)
    #expect(trace.steps.map(\.passedCount).max() == 9)
    #expect(trace.steps.map(\.passed.count).max() == ScheduleTrace.mostPassed)
  }

  @Test("marks where a task begins to run ahead, not each of its steps")
  func marks() async throws {
    let runner = ScheduleRunner([]) {
      try await sideBySide({ await yield(2) }, interleaved(named: "it") {})
    }
    let switches = (2..<5).map { Schedule.Switch(choice: $0, index: 1) }
    let result = await runner.traced(Schedule(switches: switches))
    let table = try ScheduleTable(trace: #require(result.trace))
    #expect(table.switchCount == 1)
    #expect(
      table.text.hasPrefix(
        """
               1  test starts
        ▸      2  task 2 starts, from test, before task 1
               3  task 2 is about to call it, before task 1
               4  task 2 returns from it, before task 1
               5  task 1 starts, from test
        """))
  }

  @Test("merges the steps in which a task only continues, not the one in which it wakes")
  func waking() async throws {
    let runner = ScheduleRunner([]) {
      await Task.yield()
      try await sleep(.seconds(1))
      await Task.yield()
    }
    let trace = try #require(await runner.traced(.plain).trace)
    #expect(
      ScheduleTable(trace: trace).text == """
               1  test starts
               2  test wakes at 1.0 seconds
        """)
  }

  @Test("a task that waited until nothing else could run continues, resumed by no other")
  func idle() async throws {
    let runner = ScheduleRunner([]) {
      async let child: Void = Task.yield()
      _ = await JobOrder.explored!.idle(within: Countdown(.seconds(60)))
      await child
    }
    let trace = try #require(await runner.traced(.plain).trace)
    #expect(
      ScheduleTable(trace: trace).text == """
               1  test starts
               2  task 1 starts, from test
               3  test continues
        """)
  }

  @Test("a diagram has a lane for each task, and marks the switches")
  func diagram() async throws {
    let runner = ScheduleRunner([]) {
      try await sideBySide({ await yield(1) }, interleaved(named: "it; #1") {})
    }
    let schedule = Schedule(switches: [.init(choice: 2, index: 1)])
    let trace = try #require(await runner.traced(schedule).trace)
    #expect(
      ScheduleTable(trace: trace).diagram == """
        sequenceDiagram
          participant T0 as test
          participant T1 as task 1
          participant T2 as task 2
          Note over T0: 1 starts
          T0->>T2: ▸ 2 starts
          T0->>T1: 3 starts
          Note over T2: 4 is about to call it   1
          Note over T1: 5 continues after a yield
          Note over T2: 6 returns from it   1
          T1->>T0: 7 continues

        """)
  }

  @Test("a diagram and a table are short even if every step is a switch")
  func manySwitches() async throws {
    let runner = ScheduleRunner([]) { await runTasks([2_000, 2_000]) }
    let switches = (0..<2_000).map { Schedule.Switch(choice: 2 * $0, index: 1) }
    let trace = try #require(await runner.traced(Schedule(switches: switches)).trace)
    let table = ScheduleTable(trace: trace)
    #expect(table.text.count < 20_000 && table.diagram.count < 20_000)
  }
}
