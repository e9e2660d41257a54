import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job that blocks its thread")
struct JobWatchTests {
  private let watch = JobWatch()
  private let executor = TestExecutor(order: JobOrder())

  /// Lets a job run for long on an executor while another one waits.
  private func occupy(_ executor: TestExecutor) async {
    async let other: Void = Task(executorPreference: executor) {}.value
    while executor.runningJob == nil { await Task.yield() }
    for _ in 0..<20 { watch.check() }
    await other
  }

  private func expect(_ found: [Failure], isWarning: Bool, at place: Testing.SourceLocation?) {
    #expect(found.count == 1 && found.first?.isWarning == isWarning, "\(found)")
    #expect(place == nil || found.first?.location == place)
    let name = Test.current?.displayName ?? ""
    #expect(found.first?.message.contains("the test “\(name)” ran for 5.0 s") == true, "\(found)")
  }

  @Test("is warned of once, at the test's place, if something waits for it")
  func waitedFor() async {
    let place = #_sourceLocation
    let found = await failures {
      watch.add(executor, at: place)
      await Task(executorPreference: executor) { await occupy(executor) }.value
    }
    expect(found, isWarning: true, at: place)
  }

  @Test("fails its schedule")
  func explored() async {
    let found = await failures {
      let explorer = Explorer([]) {
        let executor = TestRun.running.executor
        watch.add(executor, at: #_sourceLocation)
        await occupy(executor)
      }
      let result = await explorer.run(.given(.plain), seed: 0)
      guard case .returned = result.ending else {
        Issue.record("\(result.ending)")
        return
      }
    }
    expect(found.filter { !$0.isWarning }, isWarning: false, at: nil)
    expect(found.filter(\.isWarning), isWarning: true, at: nil)
  }

  /// Waits for a task that a signal ends.
  private static func wait(for signal: DispatchSemaphore) -> Bool {
    signal.wait(timeout: .now() + 300) == .success
  }

  @Test("has no other job beside it", arguments: [false, true])
  func alone(isExplored: Bool) async {
    let order = Shared<[String]>([])
    @Sendable func run(on executor: TestExecutor) async {
      watch.add(executor, at: #_sourceLocation)
      let (isBlocking, signal) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let other: Void = order.update { $0.append("other") }
      Thread.detachNewThread {
        isBlocking.wait()
        for _ in 0..<20 { watch.check() }
        signal.signal()
      }
      isBlocking.signal()
      let isOver = Self.wait(for: signal)
      // Makes a job ready, which must find a thread as well.
      async let last: Void = order.update { $0.append("last") }
      order.update { $0.append("blocked \(isOver)") }
      _ = await (other, last)
    }
    _ = await failures {
      if isExplored {
        _ = await Explorer([]) { await run(on: TestRun.running.executor) }
          .run(.given(.plain), seed: 0)
      } else {
        await Task(executorPreference: executor) { await run(on: executor) }.value
      }
    }
    #expect(order.value == ["blocked true", "other", "last"])
  }

  private actor Diary {
    private(set) var count = 0

    // Not empty, because the optimizer would leave its calls out.
    func add() { count += 1 }
  }

  /// Locks while a function runs, after letting the watch find the job if it must wait for that.
  private func withLock(_ lock: NSLock, _ function: () -> Void) {
    if !lock.try() {
      watch.add(TestRun.running.executor, at: #_sourceLocation)
      Thread.detachNewThread { for _ in 0..<20 { watch.check() } }
      lock.lock()
    }
    function()
    lock.unlock()
  }

  @Test(
    "lets an overtaken one go on, which may hold its lock, and the exploration doesn't say “all”",
    .tooLongUnderSanitizers)
  func lock() async throws {
    let exploration = try await explore {
      let (diary, lock, tasks) = (Diary(), NSLock(), Shared<[Task<Void, Never>]>([]))
      withLock(lock) {
        let task = Task {
          withLock(lock) {}
          await diary.add()
        }
        tasks.update { $0.append(task) }
      }
      await diary.add()
      for task in tasks.value { await task.value }
      #expect(await diary.count == 2)
    }
    #expect(exploration.isExhaustive == false, "\(exploration)")
  }

  @Test("doesn't stop a schedule, whenever it's found", .tooLongUnderSanitizers)
  func whenever() async {
    let (ends, hasEnded) = (Shared(0), Shared(false))
    let explorer = Explorer([]) {
      watch.add(TestRun.running.executor, at: #_sourceLocation)
      let diary = Diary()
      let tasks = (0..<2).map { _ in Task { for _ in 0..<400 { await diary.add() } } }
      for task in tasks { await task.value }
      ends.update { $0 += 1 }
    }
    // Each job that runs during some checks seems to block its thread.
    Thread.detachNewThread { while !hasEnded.value { watch.check() } }
    _ = await failures {
      for seed in 0..<100 as Range<UInt64> {
        _ = await explorer.run(UniformOrder(numbers: SplitMix64(seed: seed)), seed: 0)
      }
    }
    hasEnded.update { $0 = true }
    #expect(ends.value == 100)
  }

  @Test("isn't warned of if nothing waits for it, or if it suspends")
  func others() async {
    watch.add(executor, at: #_sourceLocation)
    let found = await failures {
      await Task(executorPreference: executor) {
        for _ in 0..<20 { watch.check() }
      }.value
      await withTaskExecutorPreference(executor) {
        await withDiscardingTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<20 {
                watch.check()
                await Task.yield()
              }
            }
          }
        }
      }
    }
    #expect(found.isEmpty, "\(found)")
  }
}
