import ComposableDependencies
import Dispatch
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@MainActor private final class Ticker {
  var count = 0

  func tick(on clock: some Clock<Duration>) async throws {
    for _ in 0..<3 {
      try await clock.sleep(for: .seconds(1))
      await Task.yield()
      count += 1
    }
  }
}

@Suite("An exploration of a test whose tasks leave its executor")
struct OutsideWorkTests {
  enum Work: String, CaseIterable {
    case mainActor = ": test goes to the main actor"
    case realTime = ": test comes from outside the executor"
    case realTimeInTask = ": task 1 comes from outside the executor"
  }

  @Test(
    "isn't exhaustive, and names the steps at which they came back", arguments: Work.allCases)
  func notExhaustive(work: Work) async throws {
    let explorer = Explorer([]) {
      switch work {
      case .mainActor: await MainActor.run {}
      case .realTime: try await Task.sleep(for: .milliseconds(50))
      case .realTimeInTask:
        try await Task { try await Task.sleep(for: .milliseconds(50)) }.value
      }
    }
    let exploration = try #require(await explorer.search(20).exploration)
    #expect(!exploration.isExhaustive)
    #expect(!exploration.description.contains("all"), "\(exploration)")
    let first = try #require(exploration.stepsFromOutside.first)
    #expect(first.hasSuffix(work.rawValue), "\(exploration)")
  }

  @Test(
    "advances a clock after tasks are back from the main actor", .exploring(), arguments: 0..<50)
  func advance(round: Int) async throws {
    let (clock, ticker) = (TestClock(), Ticker())
    async let end: Void = ticker.tick(on: clock)
    await clock.advance(by: .seconds(3))
    #expect(await ticker.count == 3)
    try await end
  }

  @Test(
    "lets time pass after tasks are back from the main actor", .exploring(), arguments: 0..<50)
  func virtualTime(round: Int) async throws {
    let (clock, ticker) = (DependencyScope.current.continuousClock, Ticker())
    async let end: Void = ticker.tick(on: clock)
    try await clock.sleep(for: .seconds(3.5))
    #expect(await ticker.count == 3)
    try await end
  }

  @Test("waits for slow work, up to the timeout of the trait")
  func slow() async throws {
    let explorer = Explorer([]) {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.6) { continuation.resume() }
      }
    }
    #expect(await explorer.run(.given(.plain), seed: 0).failures.isEmpty)
  }
}
