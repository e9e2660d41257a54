/// How long one operation took, in nanoseconds, measured several times.
struct Samples: Sendable {
  private(set) var times: [Double] = []
  /// The fewest allocations of one operation; nothing where they cannot be counted.
  private(set) var allocations: Double?

  /// The time that nothing else on the machine prolonged.
  var minimum: Double? { times.min() }

  var median: Double? {
    times.isEmpty ? nil : times.sorted()[times.count / 2]
  }

  mutating func add(_ cost: Workload.Cost, of count: Int) {
    times.append(cost.nanoseconds / Double(count))
    guard let blocks = cost.allocations else { return }
    // Rounded, because what a batch allocates once is no cost of the operation.
    let each = (Double(blocks) / Double(count) * 100).rounded() / 100
    allocations = min(allocations ?? each, each)
  }
}
