import StandardDependencies
import TestSupport
import ComposableTesting
import Testing

@Suite("ImmediateClock")
struct ImmediateClockTests {
  @Test("a sleep takes no time, and the clock shows its deadline")
  func sleeping() async throws {
    let clock = ImmediateClock()
    let existential: any Clock<Duration> = clock
    try await existential.sleep(for: .seconds(86_400))
    #expect(clock.now.offset == .seconds(86_400))
    try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    try await existential.sleep(for: .seconds(1), tolerance: .seconds(1))
    #expect(clock.now == .init(offset: .seconds(86_402)))
    #expect(
      try await existential.measure { try await clock.sleep(for: .seconds(3)) } == .seconds(3))
  }

  @Test("time never moves backward")
  func past() async throws {
    let clock = ImmediateClock(now: .init(offset: .seconds(5)))
    try await clock.sleep(until: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("a cancelled task doesn't sleep")
  func cancellation() async {
    let clock = ImmediateClock()
    let task = Task {
      await untilCancelled()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test("a loop that sleeps lets other tasks run, and ends when cancelled")
  func loops() async {
    let clock: any Clock<Duration> = ImmediateClock()
    let loop = Task { while true { try await clock.sleep(for: .seconds(1)) } }
    await Task {}.value
    loop.cancel()
    await #expect(throws: CancellationError.self) { try await loop.value }
  }

  @Test("sleepers take turns", .isolatedDependencies)
  func turns() async {
    let (clock, log) = (ImmediateClock(), Log())
    await withTaskGroup { group in
      for name in ["a", "b"] {
        group.addTask {
          for second in 1...3 {
            log.append(name)
            try? await clock.sleep(until: .init(offset: .seconds(second)))
          }
        }
      }
    }
    #expect(log.lines == ["a", "b", "a", "b", "a", "b"])
  }
}
