import Synchronization

/// Runs many programs, several at a time unless they share a store.
struct Campaign: Sendable {
  /// The result of a campaign.
  struct Report: Sendable {
    var agreeing = 0
    var notJudged = 0
    var reads = 0
    var coverage = Coverage()
    var failed: (program: Program, failure: Verdict.Failure)?

    mutating func add(_ other: Report) {
      agreeing += other.agreeing
      notJudged += other.notJudged
      reads += other.reads
      coverage.add(other.coverage)
      let seeds = [failed?.program.seed, other.failed?.program.seed].compactMap { $0 }
      if other.failed?.program.seed == seeds.min() { failed = other.failed ?? failed }
    }
  }

  let seeds: [UInt64]
  let workers: Int

  /// Stops soon after the first failure.
  func run() async -> Report {
    let stop = Stop()
    var report = await withTaskGroup(of: Report.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var report = Report()
          for index in stride(from: worker, to: seeds.count, by: workers) {
            if stop.isRequested.load(ordering: .relaxed) { break }
            await Self.run(Generator.program(seed: seeds[index]), &report)
            if report.failed != nil { stop.isRequested.store(true, ordering: .relaxed) }
          }
          return report
        }
      }
      return await group.reduce(into: Report()) { $0.add($1) }
    }
    if let (program, failure) = report.failed {
      var shrinker = Shrinker(program, failure)
      await shrinker.shrink()
      report.failed = (shrinker.program, shrinker.failure)
    }
    return report
  }

  private static func run(_ program: Program, _ report: inout Report) async {
    switch await program.verdict() {
    case .agrees(let reads, let coverage):
      report.agreeing += 1
      report.reads += reads
      report.coverage.add(coverage)
    case .notJudged:
      report.notJudged += 1
    case .fails(let failure):
      report.failed = (program, failure)
    }
  }
}

/// Notifies workers that one of them has found a failure.
private final class Stop: Sendable {
  let isRequested = Atomic(false)
}
