/// What was measured of a benchmark.
struct Result: Sendable {
  let benchmark: Benchmark
  var operation = Samples()
  var yardstick = Samples()
  var bytes: Double?

  init(_ benchmark: Benchmark, bytes: Double? = nil) {
    self.benchmark = benchmark
    self.bytes = bytes
  }

  /// How many times as long as its yardstick the operation took.
  var ratio: Double? {
    guard let time = operation.minimum, let yardstick = yardstick.minimum else { return nil }
    return time / yardstick
  }

  /// Whether time and allocations are within their limits; nothing where there are none.
  ///
  /// - Parameter allowance: How many times its limit a ratio may be, because of noise. Where there
  ///   is one, 2 ns too many are allowed besides: so much does one mispredicted branch cost.
  func isWithinLimits(allowance: Double = 1) -> Bool? {
    var isWithin: Bool?
    if let ratio, let time = operation.minimum, let limit = benchmark.limit {
      let excess = time - time / ratio * limit
      isWithin = ratio <= limit * allowance || allowance > 1 && excess < 2
    }
    if let allocations = operation.allocations, let limit = benchmark.allocationLimit {
      isWithin = isWithin != false && allocations <= limit
    }
    return isWithin
  }
}
