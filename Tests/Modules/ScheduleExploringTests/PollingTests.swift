import ComposableTesting
import TestSupport
import Testing

@testable import TestRuntime

@Suite("A task that polls", .tooLongUnderSanitizers)
struct PollingTests {
  private actor Flag {
    private(set) var isSet = false
    func set() { isSet = true }
  }

  @MainActor private final class Model {
    private(set) var isLoaded = false
    func load() { Task { isLoaded = true } }
  }

  /// What a task asks again and again, without a suspension that lets others run.
  enum Polled: CaseIterable {
    case actor, actorFromTask, actorFromMainActor, mainActor, outside, outsideByTwo

    func poll() async -> Bool {
      switch self {
      case .actor:
        let flag = Flag()
        Task { await flag.set() }
        return await isTrue { await flag.isSet }
      case .actorFromTask: return await Task { await Self.actor.poll() }.value
      case .actorFromMainActor: return await pollFromMainActor()
      case .mainActor:
        let model = Model()
        await model.load()
        return await isTrue { await model.isLoaded }
      case .outside:
        let flag = Flag()
        let executor = RunningExecutors.shared.current
        onSmallStack { Task(executorPreference: executor) { await flag.set() } }
        return await isTrue { await flag.isSet }
      case .outsideByTwo:
        let flag = Flag()
        let executor = RunningExecutors.shared.current
        onSmallStack { Task(executorPreference: executor) { await flag.set() } }
        async let other = isTrue(after: { await Task.yield() }) { await flag.isSet }
        let own = await isTrue(after: { await Task.yield() }) { await flag.isSet }
        return await other && own
      }
    }

    @MainActor private func pollFromMainActor() async -> Bool {
      let flag = Flag()
      Task { await flag.set() }
      var polls = 0
      while await !flag.isSet, polls < 1_000 { polls = await next(polls) }
      return polls < 1_000
    }

    @MainActor private func next(_ number: Int) async -> Int { number + 1 }

    private func isTrue(
      after pause: @Sendable () async -> Void = {}, _ condition: @Sendable () async -> Bool
    ) async -> Bool {
      for _ in 0..<2_000 {
        await pause()
        if await condition() { return true }
      }
      return false
    }
  }

  @Test("lets others run at last", .isolatedDependencies, arguments: Polled.allCases)
  func plain(polled: Polled) async { #expect(await polled.poll()) }

  @Test("lets others run at last in each schedule", arguments: Polled.allCases)
  func explored(polled: Polled) async throws {
    let exploration = try await explore(schedules: 10) { #expect(await polled.poll()) }
    #expect(exploration.schedules >= 10)
  }

  @Test(
    "leaves its thread to others, in more tests at once than there are threads",
    .timeLimit(.minutes(10)))
  func manyTests() async {
    let (count, waiting) = (20, Shared(0))
    await withTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          let run = TestRun(order: JobOrder(isWhole: true), root: 0)
          let isSet = await Task(executorPreference: run.executor) {
            let flag = Flag()
            // An unstructured task lets go of an actor while it keeps its thread.
            let poll = Task {
              for _ in 0..<10_000_000 where await flag.isSet { return true }
              return false
            }
            Task {
              waiting.update { $0 += 1 }
              while waiting.value < count { await Task.yield() }
              await flag.set()
            }
            return await poll.value
          }.value
          #expect(isSet)
        }
      }
    }
  }
}
