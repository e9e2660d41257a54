/// Measures benchmarks: warms up, finds long enough batches, and takes samples.
///
/// Samples of an operation and its yardstick alternate, so that both run under the same conditions,
/// unless something changes between them.
/// Ratios compare minimums, because interference can only make a sample longer.
struct Harness: Sendable {
  var samples = 40
  var batch: Duration = .milliseconds(2)
  /// How often a result that exceeds its limit is measured again.
  var retries = 2

  /// Quick enough for a gate, and almost as exact: batches are shorter, but no fewer.
  static let quick = Harness(samples: 40, batch: .microseconds(250), retries: 4)

  func measure(_ benchmark: Benchmark) async -> Result {
    switch benchmark.kind {
    case .memory(let bytes, let yardstick):
      return Result(benchmark, bytes: await bytes(), yardstickBytes: await yardstick?())
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
    func measureYardstick() async {
      guard let yardstick = subject.yardstick else { return }
      result.yardstick.add(await yardstick.run(yardstickCount), of: yardstickCount)
    }
    if let change = subject.change {
      for _ in 0..<samples { await measureYardstick() }
      change()
    }
    for _ in 0...retries {
      for _ in 0..<samples {
        result.operation.add(await subject.operation.run(count), of: count)
        if subject.change == nil { await measureYardstick() }
      }
      if result.isWithinLimits() != false { break }
    }
    return result
  }

  /// Returns the number of operations in a batch; finding it also warms up.
  private func calibrate(_ workload: Workload) async -> Int {
    let batch = batch * workload.batch
    var count = 1
    while true {
      var time = Double.infinity
      // Use the minimum of several runs, because a disturbed sample would stop this too early.
      for _ in 0..<3 { time = min(time, await workload.run(count).nanoseconds) }
      if time >= batch.nanoseconds { return count }
      count = time * 8 < batch.nanoseconds ? count * 4 : count * 2
    }
  }
}
