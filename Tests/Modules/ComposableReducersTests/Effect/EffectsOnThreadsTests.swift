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

  private static func context(_ action: Int) -> EffectContext {
    var context = EffectContext(action: action, scope: .root)
    context.join(.id(EffectID("id")))
    return context
  }

  /// An effect that is under way.
  private struct Member: Sendable {
    let registry = EffectRegistry(supervisor: nil)
    let action: Int
    let effect: RunningEffect

    init() {
      action = registry.nextNumber()
      effect = registry.add(EffectsOnThreadsTests.context(action))
    }
  }

  @Test("effects come, go, are awaited and are cancelled")
  func registry() {
    let members = onTwoThreads(
      Member.init,
      [
        { $0.registry.add(EffectsOnThreadsTests.context($0.action)) },
        { $0.registry.remove($0.effect) },
        { $0.registry.isEmpty(.action($0.action)) },
        { $0.effect.isCancelled },
        { $0.registry.operations(ofAction: $0.action) },
        {
          $0.registry.cancel(EffectID("id"))
          return nil
        },
        {
          $0.registry.cancelAll()
          return nil
        },
        {
          $0.registry.abandon($0.effect)
          return nil
        },
        {
          $0.registry.whenEmpty(action: $0.action) {}
          return nil
        },
      ])
    #expect(members.contains { $0.registry.isEmpty })
    #expect(members.contains { $0.effect.isCancelled })
  }

  @Test("an action that is cancelled cancels an effect that joins it at the same time")
  func joiningCancelledAction() {
    let members = (0..<1_000).map { _ in Member() }
    let effects = Mutex<[RunningEffect]>([])
    TestSupport.onTwoThreads(rounds: 1_000) { round, isFirst in
      let member = members[round]
      if isFirst { return member.registry.cancel(action: member.action) }
      let effect = member.registry.add(Self.context(member.action))
      effects.withLock { $0.append(effect) }
    }
    let all = effects.withLock { $0 }
    #expect(all.allSatisfy { $0.isCancelled })
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
    let registry = EffectRegistry(supervisor: nil)
    let action = registry.nextNumber()
    let run = EffectRun(at: SourceLocation(fileID: #fileID, line: #line)) { _ in }
    let effects = (0..<1_000).map { _ in registry.add(Self.context(action), run) }
    let turns = Atomic(0)
    TestSupport.onTwoThreads(rounds: effects.count) { round, isFirst in
      if isFirst { return _ = effects[round].start(run) }
      // Starting takes longer than cancelling.
      for _ in 0..<round % 40 * 400 { _ = turns.load(ordering: .relaxed) }
      effects[round].cancel()
    }
    await StoreTask(registry, action).finish()
    #expect(effects.allSatisfy { $0.isCancelled })
    #expect(registry.isEmpty)
  }
}
