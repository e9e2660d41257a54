import ComposableTesting
import StandardDependencies
import TestSupport
import Testing

@Suite("UnimplementedClock")
struct UnimplementedClockTests {
  @Test("each use fails the test, at the clock's place, and continues")
  func uses() async throws {
    let line = #line + 1
    let clock = UnimplementedClock("continuousClock")
    let existential: any Clock<Duration> = clock
    try await fails(at: line) { _ = clock.now }
    try await fails(at: line) { #expect(existential.minimumResolution == .zero) }
    try await fails(at: line) { try await existential.sleep(for: .seconds(86_400)) }
    try await fails(at: line) {
      let start = clock.now
      try await clock.sleep(until: start.advanced(by: .seconds(3)))
      #expect(start.duration(to: clock.now) == .seconds(3))
    }
  }

  @Test("a sleep fails the test once")
  func once() async {
    let clock: any Clock<Duration> = UnimplementedClock("continuousClock")
    let found = await failures { try? await clock.sleep(for: .seconds(1)) }
    #expect(found.count == 1, "\(found)")
  }

  @Test("a name that isn't a property's isn't suggested as one")
  func name() async {
    let clock = UnimplementedClock("my clock")
    let found = await failures { _ = clock.now }
    let message = found.first?.message ?? ""
    #expect(message.contains("`my clock` was used"), "\(message)")
    #expect(message.contains("`.dependencies { … }`") && !message.contains("$0.my"), "\(message)")
  }

  @Test("a sleep until an instant of another clock fails the test, too")
  func sleepUntil() async throws {
    let line = #line + 1
    let clock = UnimplementedClock("continuousClock")
    let deadline = ImmediateClock().now.advanced(by: .seconds(3))
    try await fails(at: line) { try await clock.sleep(until: deadline) }
  }

  @Test(
    "doesn't fail a test that doesn't use it",
    .dependencies { $0.continuousClock = UnimplementedClock() })
  func unused() {
    #expect(DependencyScope.current.continuousClock is UnimplementedClock)
  }

  private func fails(at line: Int, _ operation: () async throws -> Void) async throws {
    try await expectFailure {
      try await operation()
    } matching: {
      $0.isUnimplemented("continuousClock") && $0.sourceLocation?.line == line
    }
  }
}
