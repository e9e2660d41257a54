import Foundation
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

@Suite("The clock of a schedule", .tooLongUnderSanitizers)
struct VirtualTimeTests {
  @Test("moves to the next deadline when nothing can run", .exploring(schedules: 50))
  func moves() async throws {
    let log = Shared<[String]>([])
    try await sideBySide(
      {
        try await sleep(.seconds(2))
        log.update { $0.append("two at \(secondsPassed)") }
      },
      {
        try await sleep(.seconds(1))
        log.update { $0.append("one at \(secondsPassed)") }
        try await sleep(.seconds(2))
        log.update { $0.append("three at \(secondsPassed)") }
      })
    #expect(log.value == ["one at 1.0", "two at 2.0", "three at 3.0"])
  }

  @Test("serves both clocks and the date")
  func clocks() async throws {
    try await explore(schedules: 10) {
      #expect(secondsPassed == 0)
      try await DependencyScope.current.suspendingClock.sleep(for: .seconds(3600))
      try await DependencyScope.current.continuousClock.sleep(for: .milliseconds(500))
      #expect(secondsPassed == 3600.5)
    }
  }

  @Test("wakes sleepers with the same deadline in every order", .needsWholeSight)
  func equalDeadlines() async throws {
    let (orders, exploration) = try await explored {
      let order = Shared("")
      await withDiscardingTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            try? await sleep(.seconds(1))
            order.update { $0 += name }
          }
        }
      }
      return order.value
    }
    #expect(orders == ["abc", "acb", "bac", "bca", "cab", "cba"])
    // Three start in any order, and wake in any order.
    #expect(exploration.schedules == 36 && exploration.isExhaustive)
  }

  @Test("ends a cancelled sleep immediately", .exploring(schedules: 200))
  func cancellation() async {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          try await sleep(.seconds(100))
          return true
        } catch { return false }
      }
      group.addTask {
        await yield(3)
        return true
      }
      #expect(await group.next() == true)
      group.cancelAll()
      #expect(await group.next() == false)
    }
    #expect(secondsPassed == 0)
  }

  @Test("ends the sleep of a task that is cancelled at its deadline, before it runs on")
  func cancelledAtDeadline() async throws {
    let endings = try await explored {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          do {
            try await sleep(.seconds(1))
            return false
          } catch { return true }
        }
        try await sleep(.seconds(1))
        group.cancelAll()
        let isCancelled = try await group.next()
        #expect(secondsPassed == 1)
        return isCancelled
      }
    }.results
    #expect(endings == [false, true])
  }

  @Test("a sleep that needs no time is a choice")
  func pastDeadline() async throws {
    let orders = try await explored {
      let order = Shared("")
      try await sideBySide(
        {
          try await sleep(.zero)
          order.update { $0 += "a" }
        },
        { order.update { $0 += "b" } })
      return order.value
    }.results
    #expect(orders == ["ab", "ba"])
  }

  @Test("identifiers count up, and random numbers follow the schedule", .exploring(schedules: 100))
  func identifiers() async {
    let (first, second) = (DependencyScope.current.uuid(), DependencyScope.current.uuid())
    #expect([first, second] == [UUID(0), UUID(1)])
  }

  @Test("random numbers differ from one schedule to the next, and belong to the token")
  func randomNumbers() async throws {
    let numbers = Shared<[UInt64]>([])
    let body: @Sendable () async throws -> Void = {
      await runTasks([9, 9, 9, 9, 9, 9, 9, 9])
      let number = DependencyScope.current.randomNumberGenerator.next()
      numbers.update { $0.append(number) }
      try require(number % 16 != 3, "the number is \(number)")
    }
    let finding = try #require(await ScheduleRunner([], body).search(1_000).finding)
    // The systematic schedules share theirs.
    #expect(finding.number > 1 && Set(numbers.value).count > 2)
    let token = ScheduleToken(finding.result.schedule, foundIn: finding.result.record).text
    let schedule = try #require(ScheduleToken(token)).schedule
    let again = await ScheduleRunner([], body).traced(schedule)
    #expect(numbers.value.suffix(2).first == numbers.value.last)
    #expect(again.failures == finding.result.failures)
  }

  @Test(
    "the test's own overrides win", .exploring(schedules: 5),
    .dependencies {
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 7))
      $0.continuousClock = ImmediateClock()
    })
  func overridden() async throws {
    try await sleep(.seconds(10))
    #expect(secondsPassed == 7)
    #expect(DependencyScope.current.continuousClock is ImmediateClock)
  }
}
