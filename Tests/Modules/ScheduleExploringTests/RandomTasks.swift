import StandardDependencies
import TestSupport

@testable import ScheduleExploring
@testable import TestRuntime

/// A random program of tasks that start, await and cancel one another.
struct RandomTasks {
  private actor Numbers {
    private(set) var sum = 0

    func add(_ number: Int, yielding: Bool) async {
      if yielding { await Task.yield() }
      sum += number
    }
  }

  let seed: UInt64
  private let report = Shared<[String]>([])
  private let numbers = [Numbers(), Numbers()]

  /// Whether it has actors, or else unstructured tasks, which leave the executor where they yield after
  /// they have entered an actor.
  private var usesActors: Bool { seed.isMultiple(of: 2) }

  init(seed: UInt64) { self.seed = seed }

  /// Returns what has happened when the first task ends.
  func run() async -> [String] {
    await runTask("0", SplitMix64(seed: seed), depth: 0)
    for number in numbers where usesActors {
      let sum = await number.sum
      report.update { $0.append("\(sum)") }
    }
    return report.value
  }

  private func runTask(_ name: String, _ numbers: SplitMix64, depth: Int) async {
    var numbers = numbers
    var tasks: [Task<Void, Never>] = []
    for step in 0..<2 + Int(numbers.next(below: 5)) {
      report.update { $0.append("\(name).\(step)") }
      let (next, below) = ("\(name)-\(step)", SplitMix64(seed: numbers.next()))
      let child = { @Sendable in await runTask(next, below, depth: depth + 1) }
      let isEven = numbers.next(below: 2) == 0
      switch numbers.next(below: depth < 3 ? 11 : 6) {
      case 0: try? await sleep(.seconds(isEven ? 1 : 2))
      case 1 where usesActors: await self.numbers[isEven ? 0 : 1].add(step, yielding: isEven)
      case 2:
        let number = DependencyScope.current.randomNumberGenerator.next()
        report.update { $0.append("\(number)") }
      case 3: if let task = tasks.randomElement(using: &numbers) { await task.value }
      case 4: tasks.randomElement(using: &numbers)?.cancel()
      case 0...5: await Task.yield()
      case 6 where !usesActors:
        tasks.append(isEven ? Task(operation: child) : Task(priority: .low, operation: child))
      case 7 where !usesActors: tasks.append(Task.detached(in: .current, operation: child))
      case 8: async let _ = child()
      case 9:
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        async let _ = {
          await child()
          continuation.finish()
        }()
        for await _ in stream {}
      default:
        await withDiscardingTaskGroup { group in
          for part in 0..<2 {
            group.addTask { await runTask("\(next)\(part)", below, depth: depth + 1) }
          }
          if isEven { group.cancelAll() }
        }
      }
    }
    if numbers.next(below: 2) == 0 { for task in tasks { await task.value } }
  }
}
