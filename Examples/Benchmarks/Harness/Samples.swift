/// The durations of one operation, in nanoseconds, from several measurements.
struct Samples: Sendable {
  private(set) var times: [Double] = []
  /// The minimum number of allocations per operation; `nil` if they can't be counted.
  private(set) var allocations: Double?
  private var uninterrupted = 0

  /// Whether enough samples ran without waiting for a processor.
  var canBeTrusted: Bool { 4 * uninterrupted >= times.count }

  /// The duration with the least interference.
  var minimum: Double? { times.min() }

  func multiplied(by factor: Double) -> Samples {
    var multiplied = self
    multiplied.times = times.map { $0 * factor }
    return multiplied
  }

  mutating func add(_ cost: Workload.Cost, of count: Int) {
    times.append(cost.nanoseconds / Double(count))
    if !cost.wasInterrupted { uninterrupted += 1 }
    guard let blocks = cost.allocations else { return }
    // Rounded, because a batch's single allocations aren't a cost of the operation.
    let each = (Double(blocks) / Double(count) * 100).rounded() / 100
    allocations = min(allocations ?? each, each)
  }
}
