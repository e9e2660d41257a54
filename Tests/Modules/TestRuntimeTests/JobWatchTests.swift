import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job that holds its thread")
struct JobWatchTests {
  private struct Endless: AsyncSequence, AsyncIteratorProtocol {
    mutating func next() async -> Int? { Task.isCancelled ? nil : 1 }
    func makeAsyncIterator() -> Endless { self }
  }

  /// Runs a loop that never suspends until its task is cancelled.
  private static func neverSuspend() async {
    let (hasBegun, began) = AsyncStream<Void>.makeStream()
    let task = Task { for await _ in Endless() { began.finish() } }
    for await _ in hasBegun {}
    task.cancel()
    await task.value
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  /// Waits, without suspending, for what another task of the test does.
  private static func block() async {
    let semaphore = DispatchSemaphore(value: 0)
    let waiting = Task { Self.wait(for: semaphore) }
    Task { semaphore.signal() }
    await waiting.value
  }

  @Test("lets others go on that cancel it", .isolatedDependencies)
  func neverSuspends() async { await Self.neverSuspend() }

  @Test("lets others go on that it waits for", .isolatedDependencies)
  func blocks() async { await Self.block() }

  @Test("lets others go on while it is on the main actor", .isolatedDependencies)
  @MainActor func onMainActor() async {
    let semaphore = DispatchSemaphore(value: 0)
    let waiting = Task { @MainActor in Self.wait(for: semaphore) }
    Task { @MainActor in }
    Task { @concurrent in semaphore.signal() }
    await waiting.value
  }

  @Test("lets others go on once it has come to the main actor", .isolatedDependencies)
  func comesToMainActor() async {
    let semaphore = DispatchSemaphore(value: 0)
    let waiting = Task { @MainActor in Self.wait(for: semaphore) }
    Task { semaphore.signal() }
    await waiting.value
  }

  @Test("is given up for all who wait for it, if it never lets go")
  func givenUp() async {
    let test = TestRun()
    let (order, mayEnd) = (test.executor.order, DispatchSemaphore(value: 0))
    let body = Task(executorPreference: test.executor) { Self.wait(for: mayEnd) }
    let waits = [Wait(), Wait()]
    while !order.state.withLock({ $0.isRunning }) { await Task.yield() }
    for wait in waits { #expect(!order.state.withLock { $0.waitUntilIdle(wait) }) }
    // The watch may be the first to give it up.
    while !order.state.withLock({ $0.waitsForAway }), waits[0].outcomeIfFinished == nil {
      await Task.yield()
    }
    if order.giveUpAway() { test.executor.start() }
    #expect(await waits[0].outcome() == .timedOut)
    #expect(await waits[1].outcome() == .fulfilled)
    mayEnd.signal()
    await body.value
  }

  @Test("is waited for until nothing runs", .isolatedDependencies)
  func settles() async throws {
    let hasEnded = Shared(false)
    Task {
      await Self.block()
      hasEnded.update { $0 = true }
    }
    await settle()
    #expect(hasEnded.value)
  }

  @Test(
    "leaves the order of an exploration, which claims nothing and names the step",
    arguments: [neverSuspend, block] as [@Sendable () async -> Void])
  func explored(_ body: @escaping @Sendable () async -> Void) async throws {
    let exploration = try await explore(schedules: 3) { await body() }
    #expect(!exploration.isExhaustive)
    #expect(
      exploration.stepsFromOutside.contains { $0.contains("holds its thread") }, "\(exploration)")
  }

  @Test("is waited for as long as usual, then less in the schedules that follow")
  func next() async throws {
    let limits = Shared<[Duration]>([])
    _ = try await explore(schedules: 3) {
      limits.update { $0.append(JobOrder.explored!.threadLimit) }
      await Self.block()
    }
    #expect(limits.value.first == JobOrder.usualThreadLimit)
    #expect(limits.value.last! < JobOrder.usualThreadLimit, "\(limits.value)")
  }

  private actor Diary {
    private(set) var count = 0

    // Not empty, because the optimizer would leave its calls out.
    func add() { count += 1 }
  }

  @Test("doesn't stop a schedule, whenever others go on beside it", .tooLongUnderSanitizers)
  func whenever() async {
    let (ends, running) = (Shared(0), Shared<TestExecutor?>(nil))
    let runner = ScheduleRunner([]) {
      running.update { $0 = TestRun.running.executor }
      let diary = Diary()
      let tasks = (0..<2).map { _ in Task { for _ in 0..<400 { await diary.add() } } }
      for task in tasks { await task.value }
      ends.update { $0 += 1 }
    }
    let hasEnded = Shared(false)
    Thread.detachNewThread {
      while !hasEnded.value {
        if let executor = running.value, let held = executor.order.state.withLock({ $0.holding }) {
          executor.leave(held.job)
        }
        // Leaves the processor to the schedules.
        Thread.sleep(forTimeInterval: 0.000_05)
      }
    }
    for seed in 0..<100 as Range<UInt64> {
      _ = await runner.run(UniformOrder(numbers: SplitMix64(seed: seed)), seed: 0)
    }
    hasEnded.update { $0 = true }
    #expect(ends.value == 100)
  }
}

@Suite("A task that holds a lock where it could be overtaken", .tooLongUnderSanitizers)
struct HeldLockTests {
  /// Starts a task while it holds its lock, which the task needs.
  private final class Source: Sendable {
    private struct State {
      var task: Task<Void, Never>?
      var waiting: CheckedContinuation<Int, Never>?
      var numbers: [Int] = []
    }
    private let state = Mutex(State())

    func next() async -> Int {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if state.task == nil { state.task = Task { await self.produce() } }
          guard state.numbers.isEmpty else {
            return continuation.resume(returning: state.numbers.removeFirst())
          }
          state.waiting = continuation
        }
      }
    }

    private func produce() async {
      for number in 1...2 {
        let waiting: CheckedContinuation<Int, Never>? = state.withLock { state in
          if state.waiting == nil { state.numbers.append(number) }
          return state.waiting.take()
        }
        waiting?.resume(returning: number)
        await Task.yield()
      }
    }
  }

  /// Explores until no job seems to hold its thread for other reasons, as it may on a busy machine.
  private func exploreUndisturbed(
    _ body: @escaping @Sendable () async -> Void
  ) async throws -> Exploration {
    for _ in 0..<5 {
      let exploration = try await explore { await body() }
      if exploration.stepsFromOutside.isEmpty { return exploration }
    }
    return try await explore { await body() }
  }

  @Test("isn't overtaken there, and everything else is", .needsWholeSight)
  func startsATask() async throws {
    let exploration = try await exploreUndisturbed {
      let (source, diary) = (Source(), Diary())
      let other = Task { await diary.add() }
      _ = await (source.next(), source.next())
      await diary.add()
      await other.value
    }
    #expect(
      exploration.isExhaustive && exploration.lockPlaces.count == 1,
      "\(exploration) \(exploration.stepsFromOutside)")
    #expect("\(exploration)".contains("but no task is overtaken at "))
  }

  @Test("isn't mistaken for another one, which goes on meanwhile and suspends")
  func others() async {
    for seed in 0..<20 as Range<UInt64> {
      let runner = ScheduleRunner([]) {
        let lock = Shared(0)
        let holder = Task { lock.update { _ in _ = Task {} } }
        let other = Task {
          Task {}
          await MainActor.run {}
        }
        let waiting = Task { lock.update { $0 += 1 } }
        for task in [holder, other, waiting] { await task.value }
      }
      let result = await runner.run(UniformOrder(numbers: SplitMix64(seed: seed)), seed: 0)
      if case .deadlocked = result.ending { Issue.record("a task's next job is lost (\(seed))") }
    }
  }

  private actor Diary {
    private(set) var count = 0

    // Not empty, because the optimizer would leave its calls out.
    func add() { count += 1 }
  }

  private actor Slot {
    var order = ""
    func left() { order += "c" }
    func run() async {
      await withTaskCancellationHandler {
        await Task.yield()
      } onCancel: {
        Task { await self.left() }
      }
      order += "w"
    }
  }

  @Test(
    "isn't overtaken in a cancellation handler, where the runtime holds a lock", .needsWholeSight)
  func cancels() async throws {
    let exploration = try await exploreUndisturbed {
      let slot = Slot()
      let task = Task { await slot.run() }
      await Task.yield()
      task.cancel()
      await task.value
    }
    #expect(exploration.isExhaustive, "\(exploration)")
  }
}
