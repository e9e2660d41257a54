/// The first use of a feature in the process, and operations that are measured before and after it.
///
/// The processor may run slower after than before, so a bare operation is measured with each.
actor FirstUse {
  typealias Operation = (name: String, title: String, workload: @Sendable () -> Workload)

  /// Samples of an operation, and of the bare one, taken in turn.
  struct Comparison {
    let workload: Workload
    let count: Int
    let bare: Workload
    let bareCount: Int
    var samples = Samples()
    var bareSamples = Samples()

    mutating func sample() async {
      samples.add(await workload.run(count), of: count)
      bareSamples.add(await bare.run(bareCount), of: bareCount)
    }
  }

  private let operations: [Operation]
  private let bare: Workload
  private let use: @Sendable () -> Void
  private var before: [String: Comparison] = [:]

  init(_ operations: [Operation], bare: Workload, _ use: @escaping @Sendable () -> Void) {
    self.operations = operations
    self.bare = bare
    self.use = use
  }

  /// Measures all operations, and then uses the feature, unless that is done already.
  func before(_ name: String, with harness: Harness) async -> Comparison {
    if let before = before[name] { return before }
    let bareCount = await harness.calibrate(bare)
    for operation in operations {
      let workload = operation.workload()
      var before = Comparison(
        workload: workload, count: await harness.calibrate(workload), bare: bare,
        bareCount: bareCount)
      for _ in 0..<harness.samples { await before.sample() }
      self.before[operation.name] = before
    }
    use()
    return before[name]!
  }
}
