import Foundation
import TestSupport
import Testing

@Suite("Random programs", .tooLongUnderSanitizers, .serialized)
struct RandomProgramTests {
  @Test("every read follows the rules, in isolated stores")
  func isolatedStores() async {
    let seeds = Seeds.requested.seeds(usingProcessStore: false)
    await check(seeds, workers: 2, "in isolated stores")
  }

  @Test("every read follows the rules, in the process's store")
  func processStore() async {
    // In a separate process, because no other test may use that store concurrently.
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let seeds = Seeds.requested.seeds(usingProcessStore: true)
      await check(seeds, workers: 1, "in the process's store")
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
  }

  @Test("programs without tasks leak no memory", .enabled(if: Allocations.areCounted))
  func memory() {
    let programs = (1...UInt64(1000)).lazy
      .map { Generator.program(seed: $0, canSuspend: false) }
      .filter { !$0.usesProcessStore && $0.staysOnItsThread }
    var count = 0
    for program in programs {
      count += 1
      let blocks = program.remainingBlocks()
      #expect(blocks == 0, "\(program.text())")
    }
    #expect(count > 100)
  }
}

private func check(_ seeds: [UInt64], workers: Int, _ place: String) async {
  let start = ContinuousClock.now
  let report = await Campaign(seeds: seeds, workers: workers).run()
  let seconds = (ContinuousClock.now - start).formatted(.units(allowed: [.seconds, .milliseconds]))
  print("Random programs \(place), \(seconds): \(report.summary)")
  if let problem = report.problem(of: seeds) { Issue.record("\(problem)") }
  #expect(Life.tally.remaining == 0, "environments are left")
  // Those that were made from defaults alone belong to the process's store.
  #expect(SharedNumber.aliveCount <= SharedKeys.count, "shared instances are left")
}
