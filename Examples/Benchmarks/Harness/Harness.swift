/// Measures benchmarks: warms up, finds long enough batches, and takes samples.
///
/// Samples of an operation and its yardstick alternate, so that both run under the same conditions.
/// Ratios compare minimums, because interference can only make a sample longer.
struct Harness: Sendable {
  var samples = 40
  var batch: Duration = .milliseconds(2)
  /// How often a result that exceeds its limit, or can't be trusted, is measured again.
  var retries = 2

  /// Quick enough for a gate, and almost as exact: batches are shorter, but no fewer.
  static let quick = Harness(samples: 40, batch: .microseconds(250), retries: 4)

  func measure(_ benchmark: Benchmark) async -> Result {
    switch benchmark.kind {
    case .memory(let bytes, let yardstick):
      return Result(benchmark, bytes: await bytes(), yardstickBytes: await yardstick())
    case .time(let subject):
      let subject = subject()
      let count = await calibrate(subject.operation)
      let yardstickCount = await calibrate(subject.yardstick)
      return await measure(Result(benchmark), subject.operation, count) { result in
        result.yardstick.add(await subject.yardstick.run(yardstickCount), of: yardstickCount)
      }
    case .change(let firstUse, let operation):
      let before = await firstUse.before(operation, with: self)
      var bare = Samples()
      return await measure(Result(benchmark), before.workload, before.count) { result in
        bare.add(await before.bare.run(before.bareCount), of: before.bareCount)
        let slowdown = bare.minimum! / before.bareSamples.minimum!
        result.yardstick = before.samples.multiplied(by: slowdown)
      }
    }
  }

  /// Adds samples of an operation to a result, and `yardstick` adds its own after each.
  private func measure(
    _ result: Result, _ operation: Workload, _ count: Int,
    yardstick: (inout Result) async -> Void
  ) async -> Result {
    var result = result
    for _ in 0...retries {
      for _ in 0..<samples {
        result.operation.add(await operation.run(count), of: count)
        await yardstick(&result)
      }
      if result.isWithinLimits() != false, result.canBeTrusted { break }
    }
    return result
  }

  /// Returns the number of operations in a batch; finding it also warms up.
  func calibrate(_ workload: Workload) async -> Int {
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
