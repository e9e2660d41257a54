/// The first use of a feature in the process, and operations that are measured before and after it.
actor FirstUse {
  typealias Operation = (name: String, title: String, workload: @Sendable () -> Workload)

  /// What was measured before.
  struct Before {
    let workload: Workload
    let count: Int
    var samples = Samples()
  }

  private let operations: [Operation]
  private let use: @Sendable () -> Void
  private var before: [String: Before] = [:]

  init(_ operations: [Operation], _ use: @escaping @Sendable () -> Void) {
    self.operations = operations
    self.use = use
  }

  /// Measures all operations, and then uses the feature, unless that is done already.
  func before(_ name: String, with harness: Harness) async -> Before {
    if let before = before[name] { return before }
    for operation in operations {
      let workload = operation.workload()
      var before = Before(workload: workload, count: await harness.calibrate(workload))
      for _ in 0..<harness.samples {
        before.samples.add(await workload.run(before.count), of: before.count)
      }
      self.before[operation.name] = before
    }
    use()
    return before[name]!
  }
}
