import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// What effects share, on two threads at once: a sanitizer sees what it leaves unordered.
@Suite("Effects on two threads")
struct EffectsOnThreadsTests {
  /// An operation on a subject that no other round has.
  private typealias Operation<Subject> = @Sendable (Subject) -> (any Sendable)?

  /// Runs each operation on one thread, and each on the other at the same time.
  ///
  /// One operation a thread and round, because the lock that the next one takes would order it.
  private func onTwoThreads<Subject: Sendable>(
    _ makeSubject: () -> Subject, _ operations: [Operation<Subject>]
  ) -> [Subject] {
    let count = operations.count
    // With each of the pauses that the threads make.
    let subjects = (0..<24 * count * count).map { _ in makeSubject() }
    TestSupport.onTwoThreads(rounds: subjects.count) { round, isFirst in
      let pair = round / 24
      // What is returned lives on: to free it here could take a lock.
      return operations[isFirst ? pair / count : pair % count](subjects[round])
    }
    return subjects
  }

  fileprivate static func task(_ flight: Flight) -> EffectTask {
    EffectTask(EffectContext(scope: .root, flight: flight, cause: nil), .nothing)
  }

  /// An effect that is under way, and a group for its runner to forget.
  fileprivate struct Member: Sendable {
    let group = EffectGroup()
    let flight = Flight(EffectRunner(supervisor: nil))
    let task: EffectTask
    let position: Int

    init() {
      task = EffectsOnThreadsTests.task(flight)
      position = group.add(task)
      task.register()
      flight.addWaitingAction()
      flight.runner.didEmpty(EffectGroup())
    }
  }

  @Test("tasks join a group, leave it and cancel it")
  func groups() {
    let members = onTwoThreads(
      Member.init,
      [
        { $0.group.add(EffectsOnThreadsTests.task($0.flight)) },
        { $0.group.remove($0.task, at: $0.position) },
        { $0.group.isEmpty },
        {
          $0.group.cancel()
          return nil
        },
      ])
    #expect(members.contains { $0.group.isEmpty })
    #expect(members.contains { $0.task.isCancelled })
  }

  @Test("effects join a flight, leave it, wait for it and cancel it")
  func flights() {
    let members = onTwoThreads(
      Member.init,
      [
        { $0.flight.add(EffectsOnThreadsTests.task($0.flight)) },
        { $0.flight.remove($0.task, at: 0) },
        { $0.flight.isCancelled },
        { $0.flight.effects },
        {
          $0.flight.reserveCapacity(8)
          return nil
        },
        {
          $0.flight.addWaitingAction()
          return nil
        },
        {
          $0.flight.removeWaitingAction()
          return nil
        },
        {
          $0.flight.whenFinished {}
          return nil
        },
        {
          $0.flight.cancel()
          return nil
        },
      ])
    for member in members where member.flight.effects.contains(where: { $0 === member.task }) {
      #expect(member.flight.isCancelled == member.task.isCancelled)
    }
  }

  @Test("a flight that is cancelled cancels an effect that joins it at the same time")
  func joiningCancelledFlight() {
    let flights = (0..<1_000).map { _ in Flight(EffectRunner(supervisor: nil)) }
    let tasks = flights.map { Self.task($0) }
    TestSupport.onTwoThreads(rounds: 1_000) { round, isFirst in
      if isFirst { flights[round].cancel() } else { tasks[round].register() }
    }
    #expect(tasks.allSatisfy { $0.isCancelled })
  }

  @Test("flights and groups come and go, and a store that is released cancels its effects")
  func runners() {
    let members = onTwoThreads(
      Member.init,
      [
        { $0.flight.runner.add(Flight($0.flight.runner)) },
        {
          $0.flight.runner.remove($0.flight, at: 0)
          return nil
        },
        { $0.flight.runner.isEmpty },
        {
          $0.flight.runner.abandon($0.task)
          return nil
        },
        {
          $0.flight.runner.cancelAll()
          return nil
        },
        {
          $0.flight.runner.didEmpty($0.group)
          return nil
        },
        { $0.flight.runner.takeEmptied() },
      ])
    for member in members { member.flight.runner.cancelAll() }
    let counts = members.map { $0.flight.runner.takeEmptied().count }
    #expect(Set(counts) == [0, 1, 2, 3])
  }

  /// The readers of a store's states, one of which can end.
  private final class Readers: Sendable {
    let readers = StateReaders<Int>()
    private let one: Mutex<AsyncStream<Int>?>

    init() { one = Mutex(readers.add()) }

    func end() { _ = one.withLock { $0.take() } }
  }

  @Test("readers of states come, go, and are notified, and the last state is set")
  func readers() {
    let all = onTwoThreads(
      Readers.init,
      [
        { $0.readers.add() },
        {
          $0.end()
          return nil
        },
        {
          $0.readers.notify()
          return nil
        },
        { $0.readers.final },
        {
          $0.readers.finish(2)
          return nil
        },
      ])
    #expect(Set(all.map(\.readers.final)) == [nil, 2])
  }

  @Test("the last state is read whole")
  func lastState() {
    let readers = StateReaders<[Int]>()
    readers.finish([0, 0])
    let areWhole = TestSupport.onTwoThreads(rounds: 100) { round, isFirst in
      // A read without the lock would find an array that is being freed.
      (0..<1_000).allSatisfy { number in
        if isFirst {
          readers.finish([number, number])
          return true
        }
        return readers.final.map { $0.count == 2 && $0[0] == $0[1] } ?? false
      }
    }
    #expect(areWhole.allSatisfy { $0.second })
  }

  @Test("a task that is started and cancelled at the same time is cancelled, and ends")
  func starting() async {
    let runner = EffectRunner(supervisor: nil)
    let flight = Flight(runner)
    let effect = Effect<Int>.run { _ in }
    let tasks = (0..<1_000).map { _ in
      EffectTask(EffectContext(scope: .root, flight: flight, cause: nil), .perform(effect.node!))
    }
    for task in tasks { task.register() }
    let turns = Atomic(0)
    TestSupport.onTwoThreads(rounds: tasks.count) { round, isFirst in
      if isFirst { return tasks[round].start(from: BorrowedScope(.root)) }
      // Starting takes longer than cancelling.
      for _ in 0..<round % 40 * 400 { _ = turns.load(ordering: .relaxed) }
      tasks[round].cancel()
    }
    await flight.finish()
    #expect(tasks.allSatisfy { $0.isCancelled })
    #expect(runner.isEmpty)
  }

  private enum Many<Tag: Sendable> {
    case one(Int)
    case two(Tag)

    static func readings<Number: Sendable>(
      _ count: Int, _ type: Number.Type
    ) -> [@Sendable () -> Int?] {
      guard count > 0 else { return [] }
      return [{ EnumCases.of(Many<Number>.self)?.cases.count }]
        + readings(count - 1, ManyKeys.Next<Number>.self)
    }
  }

  @Test("the cases of many enums are read, while the cases of another are known", arguments: 0..<2)
  func cases(known: Int) {
    let readings = Many<Int>.readings(100, ManyKeys.Zero.self)
    _ = readings[0]()
    let counts = TestSupport.onTwoThreads(rounds: 100) { round, isFirst in
      (isFirst ? readings[round] : readings[known == 0 ? 0 : round])()
    }
    #expect(counts.allSatisfy { $0 == (2, 2) })
  }
}
