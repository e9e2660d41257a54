import ComposableReducers
import ComposableTesting
import ExampleSupport
import StandardDependencies
import Synchronization
import Testing

@testable import random_numbers

/// Runs the program on a clock whose waits take no time, and returns what it prints.
private func run(_ arguments: String...) async -> (isValid: Bool, text: String) {
  final class Lines: Sendable { let all = Mutex<[String]>([]) }
  let lines = Lines()
  let isValid = await withDependencies {
    $0.continuousClock = ImmediateClock()
    $0.output = Output { line in lines.all.withLock { $0.append(line) } }
  } operation: {
    await RandomNumbers.run(arguments)
  }
  return (isValid, lines.all.withLock { $0.joined(separator: "\n") + "\n" })
}

@Suite("The program")
struct RandomNumbersTests {
  @Test("the output for seed 1 is known")
  func seedOne() async {
    #expect(
      await run("--seed", "1").text == """
        random-numbers --seed 1
        level 0 is not ready yet
        level 0 is ready
          first   466
          second  2
          first   591
          second  6
          first   762
          second  3
          first   46
          second  4
          first   521
          second  5
        first, with the program's generator: 466 591 762 46 521
        second, with the dice of its branch: 2 6 3 4 5

        """)
  }

  @Test("the same seed gives the same output in a hundred concurrent runs")
  func sameSeed() async {
    let expected = await run("--seed", "42").text
    await withTaskGroup { group in
      for _ in 1...100 { group.addTask { await run("--seed", "42").text } }
      for await text in group { #expect(text == expected) }
    }
  }

  @Test("different seeds give different numbers")
  func differentSeeds() async {
    var outputs: Set<String> = []
    for seed in 1...20 { await outputs.insert(run("--seed", "\(seed)").text) }
    #expect(outputs.count == 20)
  }

  @Test("a run without a seed prints how to repeat it")
  func noSeed() async throws {
    let text = await run().text
    let seed = try #require(text.split(separator: "\n").first?.split(separator: " ").last)
    #expect(await run("--seed", String(seed)).text == text)
  }

  @Test(
    "wrong arguments are explained",
    arguments: [["--sed", "1"], ["1"], ["--seed"], ["--seed", "-1"]])
  func wrongArguments(arguments: [String]) async {
    let output = await arguments.count > 1 ? run(arguments[0], arguments[1]) : run(arguments[0])
    #expect(!output.isValid)
    #expect(output.text == "usage: random-numbers [--seed N]\n")
  }
}
