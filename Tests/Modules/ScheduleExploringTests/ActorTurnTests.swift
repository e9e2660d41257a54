import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private actor Pool {
  private(set) var isOpen = true
  private(set) var count = 2

  /// Leaves the pool, and returns whether it must be closed.
  func leave() -> Bool {
    count -= 1
    return count < 2
  }

  func close() { isOpen = false }

  /// Uses the pool, which must be open.
  func use() -> Bool { isOpen }
}

private actor Stage {
  func start(_ ran: Shared<Bool>) { Task { ran.update { $0 = true } } }
}

private actor Room {
  func add(_ word: String, to diary: Shared<String>) { diary.update { $0 += word } }

  /// Goes to another actor, and comes back.
  func visit(_ other: Room, _ diary: Shared<String>) async {
    add("3", to: diary)
    await other.add("4", to: diary)
    add("5", to: diary)
  }
}

@Suite("Each task's turn on an actor", .tooLongUnderSanitizers)
struct ActorTurnTests {
  @Test("is a step of its own, so that other jobs come between two of them")
  func pool() async throws {
    let (results, exploration) = try await explored {
      let pool = Pool()
      let log = Shared("")
      try await sideBySide(
        {
          let mustClose = await pool.leave()
          log.update { $0 += "left " }
          if mustClose { await pool.close() }
        },
        {
          let isOpen = await pool.use()
          log.update { $0 += isOpen ? "used" : "closed" }
        })
      return log.value
    }
    #expect(results.isSuperset(of: ["left closed", "left used", "usedleft "]), "\(results)")
    #expect(exploration.stepsFromOutside.isEmpty)
  }

  @Test(
    "in all orders that are possible natively, where a task takes an actor before it lets go of the last one",
    .needsWholeSight)
  func fromActorToActor() async throws {
    let (results, exploration) = try await explored {
      let (first, second, diary) = (Room(), Room(), Shared(""))
      try await sideBySide(
        {
          await Task.yield()
          await first.add("1", to: diary)
          await second.add("2", to: diary)
        }, { await second.visit(first, diary) })
      return diary.value
    }
    #expect(exploration.isExhaustive, "\(exploration)")
    // Not 34125: who comes back to the second actor after 4 is there before anybody comes from the first one.
    var expected: Set = ["12345", "13245", "13425", "31245", "31425", "34152", "34512"]
    #if DEBUG
      // An optimized build goes to the second actor directly after 1, and so is there before 5.
      expected.formUnion(["13452", "31452"])
    #endif
    #expect(results == expected)
  }

  @Test("comes after what the task before it has made ready, in some schedule")
  func stage() async throws {
    let (results, _) = try await explored {
      let ran = Shared(false)
      await Stage().start(ran)
      await Task { @concurrent in }.value
      return ran.value
    }
    #expect(results == [false, true])
  }

  @Test("is named after the actor in a table")
  func table() async throws {
    let runner = ScheduleRunner([]) {
      let (pool, calls) = (Pool(), Shared(0))
      // The optimizer leaves out calls whose results nothing uses.
      try await sideBySide(
        {
          let mustClose = await pool.leave()
          calls.update { $0 += mustClose ? 1 : 2 }
        },
        {
          let isOpen = await pool.use()
          calls.update { $0 += isOpen ? 1 : 2 }
        })
    }
    var tables: [String] = []
    for switches in [[]] + (0..<9).map({ [Schedule.Switch(choice: $0, index: 1)] }) {
      let result = await runner.traced(Schedule(switches: switches))
      tables.append(try #require(result.trace.map { ScheduleTable(trace: $0).text }))
    }
    #expect(
      tables.contains { $0.contains("enters Pool") && $0.contains("continues after Pool") },
      "Does swift_task_getCurrentExecutor still return a default actor? \(tables)")
  }

  @Test("repeats exactly, and no task is added to the schedule")
  func repeats() async throws {
    let runner = ScheduleRunner([]) {
      let pool = Pool()
      try await sideBySide(
        { _ = await pool.leave() }, { _ = await pool.use() }, { await pool.close() })
    }
    let first = await runner.traced(.plain)
    #expect(first.findings.outsideCount == 0)
    #expect(first.trace?.tasks.count == 4)
    for _ in 0..<100 { #expect(await runner.traced(.plain).isSame(as: first)) }
  }
}
