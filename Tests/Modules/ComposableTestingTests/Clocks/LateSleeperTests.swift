import Synchronization
import Testing

@testable import ComposableTesting

@Suite("A task that sleeps too late", .isolatedDependencies)
struct LateSleeperTests {
  @Test("isn't watched any more when the test uses the clock again")
  func usesAgain() async throws {
    let uses: [(TestClock) async throws -> Void] = [
      { await $0.settle() },
      { await $0.advance(by: .milliseconds(1)) },
      { await $0.run() },
      { try? await $0.checkSuspension() },
      { await $0.sleepers(atLeast: 1) },
    ]
    for use in uses {
      let clock = TestClock()
      await clock.advance(by: .seconds(1))
      let late = Task { try await clock.sleep(for: .seconds(1)) }
      while clock.state.withLock({ $0.lateSleepers.isEmpty }) { await Task.yield() }
      let watches = clock.state.withLock { Array($0.lateSleepers.values) }
      try await use(clock)
      #expect(clock.state.withLock { $0.lateSleepers.isEmpty })
      #expect(watches.map(\.outcome) == [.fulfilled])
      late.cancel()
      _ = await late.result
    }
  }

  @Test("isn't watched any more when it is cancelled")
  func cancelled() async {
    let clock = TestClock()
    await clock.advance(by: .seconds(1))
    let late = Task { try await clock.sleep(for: .seconds(1)) }
    while clock.state.withLock({ $0.lateSleepers.isEmpty }) { await Task.yield() }
    let watches = clock.state.withLock { Array($0.lateSleepers.values) }
    late.cancel()
    _ = await late.result
    #expect(clock.state.withLock { $0.lateSleepers.isEmpty })
    #expect(watches.map(\.outcome) == [.fulfilled])
  }

  @Test("isn't watched at all after an advance that woke a task")
  func afterAWakingAdvance() async throws {
    let clock = TestClock()
    await clock.advance(by: .seconds(1))
    #expect(clock.state.withLock { $0.idleAdvance != nil })
    async let slept: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    try await slept
    #expect(clock.state.withLock { $0.idleAdvance == nil })
    await clock.advance(by: .seconds(1))
    #expect(clock.state.withLock { $0.idleAdvance != nil })
  }
}
