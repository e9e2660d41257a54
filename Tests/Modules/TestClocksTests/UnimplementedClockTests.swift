import ComposableTesting
import StandardDependencies
import TestSupport
import Testing

@Suite("UnimplementedClock")
struct UnimplementedClockTests {
  @Test("each use fails the test once, at the clock's place, and continues")
  func uses() async throws {
    let line = #line + 1
    let clock = UnimplementedClock("continuousClock")
    let existential: any Clock<Duration> = clock
    let failures = try await failures {
      let start = clock.now
      try await clock.sleep(until: start.advanced(by: .seconds(3)))
      #expect(start.duration(to: clock.now) == .seconds(3))
      try await existential.sleep(for: .seconds(86_400))
      #expect(existential.minimumResolution == .zero)
    }
    #expect(failures.map(\.location?.line) == Array(repeating: line, count: 4))
    #expect(
      failures.allSatisfy { $0.message.contains("`continuousClock` was used") })
  }

  @Test("a sleep until an instant of another clock fails the test, too")
  func sleepUntil() async throws {
    let clock = UnimplementedClock()
    let failures = try await failures {
      try await clock.sleep(until: ImmediateClock().now.advanced(by: .seconds(3)))
    }
    #expect(failures.count == 1)
  }

  @Test("a name that isn't a property's isn't suggested as one")
  func name() async {
    let failures = await failures { _ = UnimplementedClock("my clock").now }
    #expect(failures.first?.message.contains("`my clock` was used") == true)
    #expect(failures.first?.message.contains("setGlobally { … }`") == true)
  }

  @Test(
    "doesn't fail a test that doesn't use it",
    .dependencies { $0.continuousClock = UnimplementedClock() })
  func unused() {
    #expect(DependencyScope.current.continuousClock is UnimplementedClock)
  }
}
