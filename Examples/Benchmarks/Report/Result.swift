/// The result of a benchmark.
struct Result: Sendable {
  let benchmark: Benchmark
  var operation = Samples()
  var yardstick = Samples()
  var bytes: Double?
  var yardstickBytes: Double?

  init(_ benchmark: Benchmark, bytes: Double? = nil, yardstickBytes: Double? = nil) {
    self.benchmark = benchmark
    self.bytes = bytes
    self.yardstickBytes = yardstickBytes
  }

  /// The ratio of the operation's time or bytes to its yardstick's.
  var ratio: Double? {
    if let bytes, let yardstickBytes { return bytes / yardstickBytes }
    guard let time = operation.minimum, let yardstick = yardstick.minimum else { return nil }
    return time / yardstick
  }

  /// Whether the machine was free enough to compare times.
  var canBeTrusted: Bool { operation.canBeTrusted && yardstick.canBeTrusted }

  /// Whether time and allocations are within their limits; `nil` if there are none.
  ///
  /// - Parameter allowance: The factor by which a ratio may exceed its limit, because of noise. It
  ///   also allows 2 ns more, the cost of a mispredicted branch.
  func isWithinLimits(allowance: Double = 1) -> Bool? {
    var isWithin: Bool?
    if let ratio {
      let limit = benchmark.limit
      let excess = operation.minimum.map { $0 - $0 / ratio * limit } ?? .infinity
      isWithin = ratio <= limit * allowance || allowance > 1 && excess < 2
    }
    if let allocations = operation.allocations, let limit = benchmark.allocationLimit {
      isWithin = isWithin != false && allocations <= limit
    }
    return isWithin
  }
}
