import Foundation

/// The results as a table in Markdown.
enum Table {
  static let titles = """
    | what | time or bytes | against | ratio | limit | blocks | name |
    |---|--:|---|--:|--:|--:|---|
    """

  /// Returns the benchmarks' names and what they measure.
  static func list(_ benchmarks: [Benchmark]) -> String {
    benchmarks.map { "\($0.name)  \($0.title), against \($0.yardstick)" }.joined(separator: "\n")
  }

  static func line(_ result: Result, allowance: Double) -> String {
    let benchmark = result.benchmark
    let cells = [
      benchmark.title,
      number(result.bytes ?? result.operation.minimum),
      benchmark.yardstick,
      number(result.ratio, digits: 2),
      number(benchmark.limit) + verdict(result, allowance: allowance),
      number(result.operation.allocations, digits: 2),
      "`\(benchmark.name)`",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private static func verdict(_ result: Result, allowance: Double) -> String {
    if !result.canBeTrusted { return " BUSY" }
    return switch (result.isWithinLimits(), result.isWithinLimits(allowance: allowance)) {
    case (_, false): " BEYOND"
    case (false, _): " (noise)"
    default: ""
    }
  }

  private static func number(_ value: Double?, digits: Int = 1) -> String {
    guard let value else { return "" }
    return String(format: "%.\(value == value.rounded() ? 0 : digits)f", value)
  }
}
