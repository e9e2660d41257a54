import ComposableTesting
import StandardDependencies
import TestSupport
import Testing

@Suite("UnimplementedClock")
struct UnimplementedClockTests {
  @Test("each use fails a test, at the clock's place")
  func uses() async {
    let line = #line + 1
    let clock = UnimplementedClock("continuousClock")
    let failures = await failures {
      _ = clock.now
      #expect(clock.minimumResolution == .zero)
      // The deadline of the second is computed from `now`.
      let sleeps: [@Sendable () async throws -> Void] = [
        { try await clock.sleep(until: ImmediateClock().now.advanced(by: .seconds(3))) },
        { try await (clock as any Clock<Duration>).sleep(for: .seconds(86_400)) },
      ]
      for sleep in sleeps {
        let task = Task { try await sleep() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
    #expect(failures.map(\.location?.line) == Array(repeating: line, count: 5))
    #expect(
      failures.allSatisfy { $0.message.contains("`continuousClock` was used") })
  }

  @Test("a loop that sleeps fails a test once, and ends when it is cancelled")
  func loop() async {
    let hasBegun = Gate()
    let failures = await failures {
      let task = Task {
        hasBegun.open()
        while !Task.isCancelled {
          try? await UnimplementedClock().sleep(until: ImmediateClock().now)
        }
      }
      await hasBegun.wait()
      await yield(100)
      task.cancel()
      await task.value
    }
    #expect(failures.count <= 1)
  }

  @Test("a name that isn't a property's isn't suggested as one")
  func name() async {
    let failures = await failures { _ = UnimplementedClock("my clock").now }
    #expect(failures.first?.message.contains("`my clock` was used") == true)
    #expect(failures.first?.message.contains("`.dependencies { … }`") == true)
  }

  @Test(
    "doesn't fail a test that doesn't use it",
    .dependencies { $0.continuousClock = UnimplementedClock() })
  func unused() {
    #expect(DependencyScope.current.continuousClock is UnimplementedClock)
  }
}
