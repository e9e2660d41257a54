import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The ready jobs of a schedule")
struct ArrivalsTests {
  @Test("keep the order of their arrival, and find the earliest with the highest priority")
  func model() {
    var numbers = SplitMix64(seed: 7)
    func number(below bound: Int) -> Int { Int(numbers.next(below: UInt64(bound))) }
    var (arrivals, model) = (Arrivals<Int>(), [(element: Int, priority: UInt64)]())
    for step in 0..<5_000 {
      // Grows and shrinks in turn.
      switch number(below: step / 500 % 2 == 0 ? 4 : 8) {
      case 0...2:
        model.append((step, UInt64(number(below: 9))))
        arrivals.append(step, priority: model.last!.priority)
      case 3 where !model.isEmpty:
        let index = number(below: model.count)
        model[index].priority = UInt64(number(below: 9))
        arrivals.setPriority(model[index].priority, at: index)
      case _ where !model.isEmpty:
        let index = number(below: model.count)
        #expect(arrivals.remove(at: index) == model.remove(at: index).element)
      default: break
      }
      #expect(arrivals.count == model.count && arrivals.isEmpty == model.isEmpty)
      guard !model.isEmpty else { continue }
      let highest = model.map(\.priority).max()
      #expect(arrivals.highest == model.firstIndex { $0.priority == highest })
      let index = number(below: model.count)
      #expect(arrivals[index] == model[index].element)
    }
  }

  @Test("run in any order if there are many", .tooLongUnderSanitizers)
  func many() async {
    let count = 5_000
    let runner = ScheduleRunner([]) {
      await withDiscardingTaskGroup { group in
        for number in 0..<count {
          group.addTask { await Task.yield() }
          if number % 1_000 == 0 { await Task.yield() }
        }
      }
    }
    let strategies: [any Strategy] = [
      .given(.plain), UniformOrder(numbers: SplitMix64(seed: 0)),
      RandomPriorities(seed: 0, depth: 3, choices: 2 * count),
    ]
    for strategy in strategies {
      let result = await runner.run(strategy, seed: 0)
      #expect(result.record.choices.count >= count && result.failures.isEmpty)
    }
  }
}
