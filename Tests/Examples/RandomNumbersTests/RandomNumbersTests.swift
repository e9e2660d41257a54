import Foundation
import Testing

@testable import random_numbers

@Suite("The program")
struct RandomNumbersTests {
  @Test("the output for seed 1 is known")
  func seedOne() async throws {
    let transcript = await run("--seed", "1")
    #expect(transcript.status == .success)
    #expect(transcript.standardError == [])
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().appending(path: "../random-numbers-seed-1.txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(transcript.standardOutput.joined(separator: "\n") + "\n" == expected)
  }

  @Test("the same seed gives the same transcript in a hundred concurrent runs")
  func sameSeed() async {
    let expected = await run("--seed", "42")
    await withTaskGroup { group in
      for _ in 1...100 { group.addTask { await run("--seed", "42") } }
      for await transcript in group { #expect(transcript == expected) }
    }
  }

  @Test("different seeds give different numbers")
  func differentSeeds() async {
    var transcripts: Set<[String]> = []
    for seed in 1...20 {
      await transcripts.insert(Array(run("--seed", "\(seed)").standardOutput.dropFirst()))
    }
    #expect(transcripts.count == 20)
  }

  @Test("a run without a seed prints how to repeat it")
  func noSeed() async {
    let transcript = await run()
    let seed = transcript.standardOutput[0].split(separator: " ").last.map(String.init)
    #expect(seed != nil)
    #expect(await run("--seed", seed ?? "") == transcript)
  }

  @Test(
    "wrong arguments are explained",
    arguments: [
      (["--sed", "1"], "unknown option --sed"),
      (["1"], "unexpected argument 1"),
      (["--seed"], "--seed needs a number from 0 to 18446744073709551615"),
      (["--seed", "-1"], "--seed needs a number from 0 to 18446744073709551615"),
      (["--seed", "one"], "--seed needs a number from 0 to 18446744073709551615"),
    ])
  func wrongArguments(arguments: [String], message: String) async {
    let transcript = await run(arguments)
    #expect(transcript.status == .cannotStart)
    #expect(transcript.standardOutput == [])
    #expect(transcript.standardError == ["random-numbers: \(message)\n\n\(Options.usage)"])
  }

  @Test("help is printed")
  func help() async {
    let transcript = await run("--seed", "1", "--help")
    #expect(transcript.status == .success)
    #expect(transcript.standardOutput == [Options.usage])
    #expect(transcript.standardError == [])
  }
}
