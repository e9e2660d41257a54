import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private actor Diary {
  private(set) var words = ""
  func add(_ word: String) { words += word }
}

@Suite("A task that starts immediately")
struct ImmediateTaskTests {
  @Test("may go on before its creator does, once it has suspended", .needsWholeSight)
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func creatorIsOvertaken() async throws {
    let (results, exploration) = try await explored {
      let diary = Diary()
      let task = Task.immediate {
        await diary.add("t1 ")
        await Task.yield()
        await diary.add("t2 ")
      }
      await diary.add("m ")
      await task.value
      return await diary.words
    }
    #expect(exploration.isExhaustive, "\(exploration)")
    #expect(results.isSuperset(of: ["t1 m t2 ", "t1 t2 m "]), "\(results)")
  }

  @Test("has no step of its own until it has suspended", .needsYields)
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func table() async throws {
    let runner = ScheduleRunner([]) {
      let task = Task.immediate { await Task.yield() }
      await task.value
    }
    let trace = try #require(await runner.traced(.plain).trace)
    #expect(
      ScheduleTable(trace: trace).text == """
               1  test starts
               2  task 1 continues after a yield
               3  test continues, resumed by task 1
        """)
  }

  @Test(
    "belongs to the step of its creator, and both may be overtaken by what it starts",
    .needsWholeSight)
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func startsAnother() async throws {
    let (results, exploration) = try await explored {
      let diary = Diary()
      let tasks = Shared<[Task<Void, Never>]>([])
      let task = Task.immediate {
        let other = Task { await diary.add("o ") }
        tasks.update { $0.append(other) }
        await diary.add("t ")
      }
      await diary.add("m ")
      await task.value
      for task in tasks.value { await task.value }
      return await diary.words
    }
    #expect(exploration.isExhaustive, "\(exploration)")
    #expect(results == ["o t m ", "t o m ", "t m o "], "\(results)")
  }
}
