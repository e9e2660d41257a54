import ComposableTesting
import TestSupport
import Testing

@testable import TestClocks
@testable import TestRuntime

@Suite("A task that sleeps in vain")
struct SilentSleeperTests {
  /// Fails the test over a task that begins to sleep too late for `use`.
  private func failsLate(_ use: (TestClock) async throws -> Void) async {
    let clock = TestClock(patience: .milliseconds(20))
    let gate = Gate()
    let found = await failures {
      let late = Task(name: "late") {
        await gate.wait()
        do {
          try await clock.sleep(for: .seconds(1))
          return false
        } catch {
          return error is TestClock.SuspensionError
        }
      }
      try? await use(clock)
      gate.open()
      #expect(await late.value)
    }
    #expect(found.count == 1, "\(found)")
    let message = found.first?.message ?? ""
    #expect(message.contains("sleeps on the test's clock until"), "\(message)")
    #expect(message.contains("Instead: advance the clock after"), "\(message)")
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      #expect(message.hasPrefix("The task “late” sleeps"), "\(message)")
    }
    #expect(clock.sleepingTasks.isEmpty)
  }

  @Test("fails the test, is named and is cancelled, whatever the test called before")
  func calls() async {
    let uses: [(TestClock) async throws -> Void] = [
      { await $0.advance() },
      { await $0.advance(by: .seconds(1)) },
      { await $0.run() },
      { try await $0.checkSuspension() },
      { _ in },
    ]
    for use in uses { await failsLate(use) }
  }

  @Test("fails the test under a trait, too", .isolatedDependencies)
  func trait() async {
    await failsLate { await $0.advance(by: .seconds(1)) }
  }

  @Test("fails the test after five seconds, as the guide says")
  func patience() {
    #expect(TestClock().patience == .seconds(5))
  }

  @Test("doesn't fail the test while that does something else", .isolatedDependencies)
  func otherWork() async throws {
    // Long enough for the test to run meanwhile on a busy machine.
    let clock = TestClock(patience: .milliseconds(200))
    async let slept: Void = clock.sleep(for: .seconds(1))
    let end = ContinuousClock.now.advanced(by: .milliseconds(500))
    while .now < end { await Task.yield() }
    await clock.advance(by: .seconds(1))
    try await slept
  }

  @Test("doesn't fail a test that has ended")
  func ended() async {
    let clock = await withTestDependencies { () -> TestClock in
      let clock = TestClock(patience: .milliseconds(1))
      _ = Task { try? await clock.sleep(for: .seconds(1)) }
      await clock.waitForSleepers(atLeast: 1)
      return clock
    }
    // As long as it would take to fail.
    _ = await Countdown(.milliseconds(50)).outcome(of: Wait())
    #expect(clock.sleepingTasks.count == 1)
    await clock.advance(by: .seconds(1))
  }
}

@Suite("The usual test of a clock")
struct UntrackedSleeperTests {
  /// Expects that most rounds pass.
  ///
  /// On a busy machine, the system may stop a task's thread for longer than the clock yields.
  private func expectMost(_ round: (TestClock) async -> Void) async {
    var failed = 0
    for _ in 0..<20 {
      let clock = TestClock(patience: .milliseconds(500))
      let found = await failures { await round(clock) }
      if !found.isEmpty { failed += 1 }
    }
    #expect(failed < 5)
  }

  @Test("wakes a task that the test doesn't track", .isolatedDependencies)
  func trait() async {
    await expectMost { clock in
      let task = Task { try? await clock.sleep(for: .seconds(1)) }
      await clock.advance(by: .seconds(1))
      await task.value
    }
  }

  @Test("wakes it each time it sleeps again, without a trait")
  func again() async {
    await expectMost { clock in
      let task = Task { for _ in 0..<5 { try? await clock.sleep(for: .seconds(1)) } }
      await clock.advance(by: .seconds(5))
      await task.value
      let other = Task { for _ in 0..<5 { try? await clock.sleep(for: .seconds(1)) } }
      await clock.run()
      await other.value
    }
  }
}
