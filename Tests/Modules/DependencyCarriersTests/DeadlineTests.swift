import ComposableDependencies
import TestSupport
import Testing

@testable import DependencyCarriers

@Suite("Deadlines")
struct DeadlineTests {
  @Test("a deadline travels as the time that remains, and never grows")
  func shrinks() throws {
    let before = ContinuousClock.now
    let scope = DependencyScope.root.with(\.deadline, .after(.seconds(3600)))
    var fields: [String: String] = [:]
    scope.inject(DeadlineKey.self) { fields[$0] = $1 }
    let remaining = try #require(fields["deadline"].flatMap { Int($0) })
    #expect(remaining <= 3_600_000)
    let received = scope.extracting(DeadlineKey.self) { fields[$0] }
    let instant = try #require(received.deadline?.instant)
    #expect(instant >= before.advanced(by: .milliseconds(remaining)))
    #expect(instant <= ContinuousClock.now.advanced(by: .milliseconds(remaining)))
  }

  @Test("a deadline in the past has no time left")
  func passed() throws {
    let deadline = Deadline.after(.seconds(-5))
    #expect(deadline.hasPassed)
    #expect(deadline.remaining == .zero)
    #expect(DeadlineKey.encode(deadline) == "0")
    let received = try #require(DeadlineKey.decode("0"))
    #expect(received?.hasPassed == true)
    #expect(!Deadline.after(.seconds(3600)).hasPassed)
    #expect(deadline < .after(.zero))
  }

  @Test(
    "the longest durations can be set, and travel as the longest that can",
    arguments: [
      Duration.seconds(1e19), .seconds(1.7e20), .seconds(Int64.max),
    ])
  func longest(duration: Duration) {
    #expect(DeadlineKey.encode(.after(duration)) == "999999999999")
    #expect(Deadline.after(.zero - duration).hasPassed)
  }

  @Test("the time that remains is whole milliseconds, rounded down")
  func rounding() {
    #expect(DeadlineKey.text(of: .microseconds(1_999)) == "1")
    #expect(DeadlineKey.text(of: .seconds(2) + .nanoseconds(999_999)) == "2000")
    #expect(DeadlineKey.text(of: .zero) == "0")
    #expect(DeadlineKey.text(of: .seconds(Int64.max)) == "999999999999")
    #expect(DeadlineKey.duration("999999999999") == .milliseconds(999_999_999_999))
    let now = ContinuousClock.now
    #expect(Deadline(now.advanced(by: .seconds(2))).remaining(at: now) == .seconds(2))
  }

  @Test(
    "text that isn't a number of milliseconds is rejected",
    arguments: ["", " ", "-1", "+1", "1.5", "1e3", "0x10", "１", "1000000000000", "12 ", "soon"])
  func refused(text: String) {
    #expect(DeadlineKey.decode(text) == nil)
    let issues = issues {
      let scope = DependencyScope.root.extracting(DeadlineKey.self) { _ in text }
      #expect(scope.deadline == nil)
    }
    #expect(issues.count == 1)
  }

  @Test("a received deadline is brought forward to the longest that the receiver accepts")
  func longestReceived() throws {
    let server = DependencyScope.root.with(\.longestDeadline, .seconds(30))
    let before = ContinuousClock.now
    let received = server.extracting(DeadlineKey.self) { _ in "999999999999" }
    let instant = try #require(received.deadline?.instant)
    #expect(instant >= before.advanced(by: .seconds(30)))
    #expect(instant <= ContinuousClock.now.advanced(by: .seconds(30)))
    #expect(server.extracting(DeadlineKey.self) { _ in "0" }.deadline?.hasPassed == true)
    #expect(server.deadline == nil)
  }
}

@Suite("Work before a deadline")
struct BeforeDeadlineTests {
  private struct Failure: Error {}

  @Test("work before the longest deadline just runs")
  func longest() async throws {
    for duration in [Duration.seconds(1e19), .seconds(Int64.max), .seconds(1e15)] {
      let scope = DependencyScope.root.with { $0.deadline = .after(duration) }
      let result = try await scope.run { try await beforeDeadline { 1 } }
      #expect(result == 1)
    }
  }

  private func before<R: Sendable>(
    _ deadline: Deadline?, _ operation: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    try await DependencyScope.root.with(\.deadline, deadline).run {
      try await beforeDeadline(operation)
    }
  }

  @Test("the operation's result or error is that of the call, with a deadline and without")
  func result() async throws {
    for deadline in [nil, Deadline.after(.seconds(3_600))] {
      #expect(try await before(deadline) { 1 } == 1)
      await #expect(throws: Failure.self) { try await before(deadline) { throw Failure() } }
    }
  }

  @Test("an operation runs in the caller's scope, and not at all after the deadline")
  func passed() async throws {
    let deadline = Deadline.after(.seconds(3_600))
    #expect(try await before(deadline) { DependencyScope.current.deadline } == deadline)
    let passed = Deadline.after(.zero)
    await #expect(throws: DeadlineError(deadline: passed)) {
      try await before(passed) { Issue.record("It ran.") }
    }
  }

  @Test("the deadline cancels the operation, and is told from the caller's cancellation")
  func cancels() async throws {
    let soon = Deadline.after(.milliseconds(1))
    await #expect(throws: DeadlineError(deadline: soon)) {
      try await before(soon) { try await Task.sleep(for: .seconds(1_000_000)) }
    }
    let task = Task {
      try await before(.after(.seconds(3_600))) { try await Task.sleep(for: .seconds(1_000_000)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("what an operation returns or throws in spite of the deadline isn't lost")
  func late() async throws {
    func soon() -> Deadline { .after(.milliseconds(1)) }
    let value = try await before(soon()) {
      await untilCancelled()
      return 1
    }
    #expect(value == 1)
    await #expect(throws: Failure.self) {
      try await before(soon()) {
        await untilCancelled()
        throw Failure()
      }
    }
  }
}
