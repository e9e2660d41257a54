import ComposableTesting
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@testable import ScheduleExploring

@Suite("What never ends", .tooLongUnderSanitizers)
struct EndlessTests {
  private static func timer() async {
    let clock = TestClock()
    let task = Task { for await _ in ImmediateClock().timer(interval: .seconds(1)) {} }
    await clock.advance(by: .seconds(5))
    task.cancel()
    await task.value
  }

  @Test(
    "is a timer on an immediate clock: the call that waits for it fails", .isolatedDependencies,
    .needsYields)
  func timerOfPlainTest() async {
    let failures = await failures { await Self.timer() }
    #expect(!failures.isEmpty)
    let message = failures.first?.message ?? ""
    #expect(message.contains("never settles: task 1 keeps running without"), "\(message)")
  }

  @Test("fails the same call in a schedule, which ends", .needsYields)
  func timerOfSchedule() async throws {
    let found = try await failures {
      let test = TestExploration(
        form: .trait, name: "a timer", runner: ScheduleRunner([]) { await Self.timer() })
      _ = try await test.explore(schedules: 10, seed: 0)
    }
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.message.contains("never settles") == true, "\(found)")
    #expect(found.last?.message.contains("in schedule 1 of 10") == true, "\(found)")
  }

  private struct Player: Equatable { var seconds = 0 }
  private enum Action: Equatable { case play, tick }
  private struct Environment: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.continuousClock) var clock
  }
  private static let player = Reducer<Player, Action, Environment> { player, action, environment in
    switch action {
    case .tick:
      player.seconds += 1
      return .none
    case .play:
      let clock = environment.clock
      return .run { send in
        for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
      }
    }
  }

  @Test("is an effect on the schedule's clock, which the store names")
  func finish() async throws {
    let found = try await failures {
      try await explore(schedules: 10) {
        let store = TestStore(
          initialState: Player(), reducer: Self.player, environment: Environment())
        store.exhaustivity = .off
        await store.send(.play)
        await store.finish()
      }
    }
    let message = found.first?.message ?? ""
    #expect(found.count == 2, "\(found)")
    #expect(
      message.contains("still running at the end, after time has moved 1,000 times"), "\(message)")
    #expect(message.contains("an effect of .play, created at"), "\(message)")
    #expect(message.contains("which sleeps on the test's clock until 1001.0 seconds"), "\(message)")
  }

  @Test("is a task that the body waits for, and which sleeps again and again")
  func sleeper() async throws {
    let found = try await failures {
      try await explore(schedules: 10) {
        @Dependency(\.continuousClock) var clock
        await Task { for await _ in clock.timer(interval: .milliseconds(100)) {} }.value
      }
    }
    #expect(found.filter { !$0.isWarning }.count == 1, "\(found)")
    let message = found.first?.message ?? ""
    #expect(message.contains("doesn't end in schedule 1 of 10"), "\(message)")
    #expect(message.contains("sleeps on its clock until 1000.1 seconds"), "\(message)")
  }

  @Test("isn't a loop of sleeps that take no time", .isolatedDependencies)
  func zero() async throws {
    let clock = TestClock()
    let isReady = Mutex(false)
    let waiter = Task {
      while !isReady.withLock({ $0 }) { try await clock.sleep(for: .zero) }
    }
    await Task.yield()
    isReady.withLock { $0 = true }
    try await waiter.value
  }

  @Test(
    "is a task that yields until it's canceled, and that rests after its schedule", .needsYields)
  func poller() async throws {
    let (steps, others) = (Shared(0), Shared(0))
    try await explore(schedules: 30) {
      Task {
        while !Task.isCancelled {
          steps.update { $0 += 1 }
          await Task.yield()
        }
        others.update { $0 += 1 }
      }
      await Task.yield()
    }
    // On a busy machine, one may have left its schedule, which lets it run for some more steps.
    var before = 0
    repeat {
      before = steps.value
      for _ in 0..<100 { await Task.yield() }
    } while steps.value != before && before < 200_000
    #expect(before < 200_000 && others.value == 0)
  }
}
