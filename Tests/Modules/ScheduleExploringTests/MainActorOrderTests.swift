import ComposableDependencies
import Dispatch
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks
@testable import TestRuntime

@MainActor private final class Account {
  private(set) var balance = 100

  /// Overdraws the account if another task withdraws at the same time.
  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }

  func withdrawAtOnce(_ amount: Int) async {
    if balance >= amount { balance -= amount }
  }
}

@Suite("The main actor's jobs in an explored test (rule 40)")
struct MainActorOrderTests {
  private static func withdrawals(
    _ withdraw: @escaping @MainActor @Sendable (Account) async -> Void
  ) -> [ScheduleRunner] {
    [
      ScheduleRunner([]) {
        let account = await MainActor.run { Account() }
        try await sideBySide({ await withdraw(account) }, { await withdraw(account) })
        try await require(account.balance >= 0, "the balance is \(account.balance)")
      },
      ScheduleRunner([]) { @MainActor in
        let account = Account()
        let tasks = (0..<2).map { _ in Task { await withdraw(account) } }
        for task in tasks { await task.value }
        try require(account.balance >= 0, "the balance is \(account.balance)")
      },
    ]
  }

  @Test("a bug is found, and its schedule repeats exactly", .needsYields)
  func found() async throws {
    for runner in Self.withdrawals({ await $0.withdraw(80) }) {
      let found = try #require(
        await runner.search(1_000).finding,
        "Does the runtime still call swift_task_getMainExecutor_hook?")
      #expect(found.result.findings.outsideCount == 0)
      for _ in 0..<20 {
        #expect(await runner.traced(found.result.schedule).isSame(as: found.result))
      }
    }
  }

  /// What tasks add to it, in order.
  @MainActor private final class Diary {
    private(set) var words = ""
    func add(_ word: String) { words += word }
  }

  @Test("two tasks that only visit the main actor do so in both orders", .needsWholeSight)
  func visits() async throws {
    let (results, exploration) = try await explored {
      let diary = await MainActor.run { Diary() }
      async let other: Void = diary.add("a")
      await diary.add("b")
      await other
      return await diary.words
    }
    #expect(exploration.isExhaustive, "\(exploration)")
    #expect(results == ["ab", "ba"])
  }

  @Test("the plain order is first in, first out, wherever tasks run")
  func plain() async {
    let log = Shared<[Int]>([])
    let runner = ScheduleRunner([]) { @MainActor in
      let tasks = (0..<6).map { number in
        number.isMultiple(of: 2)
          ? Task { log.update { $0.append(number) } }
          : Task { @concurrent in log.update { $0.append(number) } }
      }
      for task in tasks { await task.value }
    }
    _ = await runner.traced(.plain)
    #expect(log.value == [0, 1, 2, 3, 4, 5])
  }

  @Test("every order of correct code runs", .needsWholeSight)
  func exhaustive() async throws {
    for runner in Self.withdrawals({ await $0.withdrawAtOnce(80) }) {
      let exploration = try #require(await runner.search(2_000).exploration)
      #expect(exploration.isExhaustive && exploration.schedules > 1, "\(exploration)")
    }
  }

  @Test("tasks of the main actor that nothing awaits run in every order", .needsWholeSight)
  func unawaited() async throws {
    let (orders, exploration) = try await explored {
      let order = Shared("")
      for name in ["a", "b"] { Task { @MainActor in order.update { $0 += name } } }
      await yield(2)
      return order.value
    }
    #expect(orders.isSuperset(of: ["ab", "ba"]), "\(orders)")
    #expect(exploration.isExhaustive, "\(exploration)")
  }

  @Test("they run on the main actor, and other jobs don't")
  func isolation() async throws {
    try await explore(schedules: 5) {
      dispatchPrecondition(condition: .notOnQueue(.main))
      try await sideBySide(
        {
          await MainActor.run {
            dispatchPrecondition(condition: .onQueue(.main))
            MainActor.assertIsolated()
            MainActor.assumeIsolated {}
          }
          dispatchPrecondition(condition: .notOnQueue(.main))
        },
        { @MainActor in
          dispatchPrecondition(condition: .onQueue(.main))
          await Task.yield()
          MainActor.assertIsolated()
          await Task { dispatchPrecondition(condition: .onQueue(.main)) }.value
        },
        { DispatchQueue.main.sync { MainActor.assumeIsolated {} } })
    }
  }

  @Test("a clock waits for them, and so does virtual time", .needsYields, arguments: 0..<20)
  func clocks(round: Int) async throws {
    try await explore(schedules: 20) { @MainActor in
      let clock = TestClock()
      var count = 0
      func tick(on clock: any Clock<Duration>) async throws {
        for _ in 0..<3 {
          try await clock.sleep(for: .seconds(1))
          for _ in 0..<20 { await Task.yield() }
          count += 1
        }
      }
      let ticking = Task { try await tick(on: clock) }
      await clock.advance(by: .seconds(3))
      try require(count == 3, "\(count) ticks")
      try await ticking.value
      let virtual = Task { try await tick(on: DependencyScope.current.continuousClock) }
      try await sleep(.seconds(3.5))
      try require(count == 6, "\(count) ticks")
      try await virtual.value
    }
  }

  @Test("work of the main actor that isn't the test's stays outside")
  func others() async throws {
    let real = mainExecutor()
    let (seen, isOver) = (Shared<[Bool]>([]), Shared(false))
    let others = Task.detached {
      while !isOver.value {
        await MainActor.run {
          seen.update { $0.append(mainExecutor() == real) }
        }
        await Task.yield()
      }
    }
    try await explore(schedules: 200) {
      try await sideBySide(
        { await MainActor.run {} },
        { @MainActor in
          try require(mainExecutor() != real, "the order lacks a job")
          await Task.yield()
        })
    }
    isOver.update { $0 = true }
    _ = await others.value
    #expect(!seen.value.isEmpty && seen.value.allSatisfy(\.self))
  }

  @Test("tasks that outlive the test go on afterwards")
  func leftovers() async throws {
    let (gate, signal) = (Gate(), Signal())
    let runner = ScheduleRunner([]) {
      Task { @MainActor in
        await gate.wait()
        MainActor.assertIsolated()
        await Task { @MainActor in signal.raise() }.value
      }
      await yield(4)
    }
    #expect(await runner.traced(.plain).failures.isEmpty)
    gate.open()
    #expect(await signal.wait(atMost: .seconds(600)))
  }
}

/// The executor that the runtime uses for the main actor.
private func mainExecutor() -> UInt {
  // Sound: an executor's first word is the address of its object.
  unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0
}
