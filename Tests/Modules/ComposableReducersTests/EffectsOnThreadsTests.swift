import TestSupport
import Testing

@testable import ComposableReducers

/// What effects share, on two threads at once: a sanitizer sees what it leaves unordered.
@Suite("Effects on two threads")
struct EffectsOnThreadsTests {
  @Test("tasks join a group, leave it and cancel it")
  func groups() {
    let group = EffectGroup()
    let flight = Flight(EffectRunner(supervisor: nil))
    onTwoThreads(rounds: 1_000) { round, isFirst in
      let context = EffectContext(scope: .current, flight: flight, cause: nil)
      let task = EffectTask(context, .nothing)
      let position = group.add(task)
      if round % 4 == 0, isFirst { group.cancel() }
      _ = group.isEmpty
      _ = group.remove(task, at: position)
    }
    #expect(group.isEmpty)
  }

  @Test("effects join a flight, leave it and cancel it")
  func flights() {
    let runner = EffectRunner(supervisor: nil)
    let flights = (0..<1_000).map { _ in Flight(runner) }
    let results = onTwoThreads(rounds: 1_000) { round, isFirst in
      let flight = flights[round]
      let context = EffectContext(scope: .current, flight: flight, cause: nil)
      let task = EffectTask(context, .nothing)
      if isFirst, round % 2 == 0 {
        flight.cancel()
        return true
      }
      let position = flight.add(task)
      // The task is cancelled, in whichever order the threads come.
      let isConsistent = !flight.isCancelled || task.isCancelled || round % 2 == 0
      flight.addWaitingAction()
      flight.removeWaitingAction()
      flight.remove(task, at: position)
      return isConsistent
    }
    #expect(results.allSatisfy { $0.first && $0.second })
    #expect(runner.isEmpty)
    #expect(flights.enumerated().allSatisfy { $0.element.isCancelled == ($0.offset % 2 == 0) })
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

  @Test("the cases of many enums are read")
  func cases() {
    let readings = Many<Int>.readings(100, ManyKeys.Zero.self)
    let counts = onTwoThreads(rounds: 100) { round, _ in readings[round]() }
    #expect(counts.allSatisfy { $0 == (2, 2) })
  }
}
