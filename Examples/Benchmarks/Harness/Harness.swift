/// Measures benchmarks: warms up, finds batches that are long enough, and takes samples.
///
/// The samples of an operation and of its yardstick alternate, so that both meet the same machine.
/// Ratios are those of the minima: whatever else runs can only make a sample longer.
struct Harness: Sendable {
  var samples = 40
  var batch: Duration = .milliseconds(2)
  /// How often a result that is beyond its limit is measured again, on top of its samples.
  var retries = 2

  /// Short enough for a gate, and not much less exact: batches are shorter, but no fewer.
  static let quick = Harness(samples: 40, batch: .microseconds(250), retries: 4)

  func measure(_ benchmark: Benchmark) async -> Result {
    switch benchmark.kind {
    case .memory(let bytes):
      return Result(benchmark, bytes: bytes())
    case .time(let subject):
      let subject = subject()
      return await measure(benchmark, subject)
    }
  }

  private func measure(_ benchmark: Benchmark, _ subject: Benchmark.Subject) async -> Result {
    let count = await calibrate(subject.operation)
    var yardstickCount = 0
    if let yardstick = subject.yardstick { yardstickCount = await calibrate(yardstick) }
    var result = Result(benchmark)
    for _ in 0...retries {
      for _ in 0..<samples {
        result.operation.add(await subject.operation.run(count), of: count)
        guard let yardstick = subject.yardstick else { continue }
        result.yardstick.add(await yardstick.run(yardstickCount), of: yardstickCount)
      }
      if result.isWithinLimits() != false { break }
    }
    return result
  }

  /// How many operations fill a batch; finding out warms up.
  private func calibrate(_ workload: Workload) async -> Int {
    let batch = batch * workload.batch
    var count = 1
    while true {
      var time = Double.infinity
      // The least of a few, or a sample that something prolonged ends it too early.
      for _ in 0..<3 { time = min(time, await workload.run(count).nanoseconds) }
      if time >= batch.nanoseconds { return count }
      count = time * 8 < batch.nanoseconds ? count * 4 : count * 2
    }
  }
}
