/// How often each operation was run.
struct Coverage: Sendable {
  private var counts: [Operation: Int] = [:]

  mutating func add(_ operation: Operation) {
    counts[operation, default: 0] += 1
  }

  mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  var missing: [Operation] {
    Operation.allCases.filter { counts[$0] == nil }
  }

  /// One line for every three operations.
  var table: String {
    let cells = Operation.allCases.map { operation in
      let name = operation.rawValue
      let count = "\(counts[operation] ?? 0)"
      return name + String(repeating: " ", count: max(1, 34 - name.count - count.count)) + count
    }
    return stride(from: 0, to: cells.count, by: 3)
      .map { cells[$0..<min($0 + 3, cells.count)].joined(separator: "   ") }
      .joined(separator: "\n")
  }
}
