/// Something to measure, by a name like `limits/enter` or `overrides/enter/16`.
struct Benchmark: Sendable {
  /// What is measured side by side: an operation, and what it is compared to.
  struct Subject: Sendable {
    let operation: Workload
    var yardstick: Workload?
  }

  enum Kind: Sendable {
    case time(@Sendable () -> Subject)
    case memory(@Sendable () -> Double?)
  }

  let name: String
  let title: String
  /// What the operation is compared to, in words.
  var yardstick: String?
  /// How many times as long as its yardstick the operation may take.
  var limit: Double?
  /// How many blocks the operation may allocate.
  var allocationLimit: Double?
  let kind: Kind

  /// Compares the time of an operation with that of its yardstick.
  ///
  /// - Parameter subject: Made when the benchmark is run, and not counted.
  init(
    _ name: String,
    _ title: String,
    against yardstick: String? = nil,
    limit: Double? = nil,
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

  /// Counts bytes; nothing where the allocator does not tell.
  init(memory name: String, _ title: String, _ bytes: @escaping @Sendable () -> Double?) {
    self.name = name
    self.title = title
    kind = .memory(bytes)
  }

  /// Whether this is meant by its own name, or by that of a group it belongs to.
  func isMeant(by name: String) -> Bool {
    self.name == name || self.name.hasPrefix(name + "/")
  }
}
