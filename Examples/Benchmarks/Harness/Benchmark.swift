/// A benchmark, with a name like `limits/enter` or `overrides/enter/16`.
struct Benchmark: Sendable {
  /// The operation to measure, and its yardstick.
  struct Subject: Sendable {
    let operation: Workload
    let yardstick: Workload
  }

  enum Kind: Sendable {
    case time(@Sendable () -> Subject)
    case memory(@Sendable () async -> Double?, yardstick: @Sendable () async -> Double?)
    /// An operation after the first use of something, compared with itself before.
    case change(FirstUse, operation: String)
  }

  let name: String
  let title: String
  /// A description of the yardstick.
  let yardstick: String
  /// The maximum ratio of the operation's time or bytes to its yardstick's.
  let limit: Double
  /// The maximum number of heap blocks that the operation allocates.
  var allocationLimit: Double?
  let kind: Kind

  /// Compares the time of an operation with the time of its yardstick.
  ///
  /// - Parameter subject: Created when the benchmark runs; its creation isn't measured.
  init(
    _ name: String,
    _ title: String,
    against yardstick: String,
    limit: Double,
    allocationLimit: Double? = nil,
    _ subject: @escaping @Sendable () -> Subject
  ) {
    self.name = name
    self.title = title
    self.yardstick = yardstick
    self.limit = limit
    self.allocationLimit = allocationLimit
    kind = .time(subject)
  }

  /// Counts bytes, and compares them with those of a yardstick; `nil` if the allocator can't report
  /// them.
  init(
    memory name: String, _ title: String, against yardstick: String, limit: Double,
    _ bytes: @escaping @Sendable () async -> Double?,
    yardstick yardstickBytes: @escaping @Sendable () async -> Double?
  ) {
    self.name = name
    self.title = title
    self.yardstick = yardstick
    self.limit = limit
    kind = .memory(bytes, yardstick: yardstickBytes)
  }

  /// Compares the time of an operation after the first use of something with its time before.
  init(
    _ name: String, _ title: String, against yardstick: String, limit: Double, _ operation: String,
    of firstUse: FirstUse
  ) {
    self.name = name
    self.title = title
    self.yardstick = yardstick
    self.limit = limit
    kind = .change(firstUse, operation: operation)
  }

  /// Whether a name is this benchmark's name, or the name of a group that contains it.
  func isMeant(by name: String) -> Bool {
    self.name == name || self.name.hasPrefix(name + "/")
  }
}
