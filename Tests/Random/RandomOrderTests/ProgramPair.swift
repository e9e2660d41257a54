import Foundation
import TestSupport

/// Two programs that explored tests run at the same time, on actors that both use.
struct ProgramPair: RandomProgram {
  let programs: [Program]
  private let seed: UInt64

  init(_ choices: inout Choices) {
    seed = choices.seed
    let room = choices.pick([Room.shared, .shared, .global])
    programs = (0..<2).map { _ in Generator.neighbor(in: room, &choices) }
  }

  /// The file for the pair that runs in a child of a process, and may end it.
  static func file(ofChildrenOf process: Int32) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "pair-of-\(process)")
  }

  /// How often both are explored.
  private static let explorations = 2

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    try? Data("SEED=\(seed) repeats it. The program that ends the process:\n\(text)".utf8)
      .write(to: Self.file(ofChildrenOf: getppid()))
    let (results, ended) = (Shared<[(RandomDifference?, isExhaustive: Bool)]>([]), Signal())
    Task.detached {
      await withDiscardingTaskGroup { group in
        for program in programs {
          group.addTask {
            for _ in 0..<Self.explorations {
              guard let result = await Check(program).neighboring() else { return }
              results.update { $0.append(result) }
            }
          }
        }
      }
      ended.raise()
    }
    guard await ended.wait(atMost: patience) else {
      return RandomDifference(kind: "end", text: "\(text)\nIt fails: the two don't end")
    }
    for (difference, isExhaustive) in results.value {
      if let difference {
        return RandomDifference(
          kind: difference.kind, text: "\(text)\nOf these,\n\(difference.text)")
      }
      coverage.count(isExhaustive ? "all orders" : "not all orders")
    }
    if results.value.count == 2 * Self.explorations { coverage.count("pair") }
    return nil
  }

  private var text: String { programs.map { "\($0)" }.joined(separator: "\nbeside\n") }
}
