import Foundation

/// The results as text, one per line.
struct Table {
  let results: [Result]
  /// The factor by which a ratio may exceed its limit.
  var allowance = 1.0

  static let titles = line(
    ["NAME", "MIN", "MEDIAN", "AGAINST", "RATIO", "LIMIT", "", "BLOCKS"])

  /// Returns the benchmarks' names and what they measure.
  static func list(_ benchmarks: [Benchmark]) -> String {
    benchmarks.map { benchmark in
      let name = benchmark.name.padding(toLength: 40, withPad: " ", startingAt: 0)
      let yardstick = benchmark.yardstick.map { ", against \($0)" } ?? ""
      return name + benchmark.title + yardstick
    }.joined(separator: "\n")
  }

  static func line(_ result: Result, allowance: Double) -> String {
    let verdict =
      switch result.isWithinLimits(allowance: allowance) {
      case true?: result.isWithinLimits() == true ? "within" : "noise"
      case false?: "BEYOND"
      case nil: ""
      }
    if let bytes = result.bytes {
      return line([
        result.benchmark.name, number(bytes) + " B", "", number(result.yardstickBytes),
        number(result.ratio, digits: 2), number(result.benchmark.limit, digits: 1), verdict,
      ])
    }
    return line([
      result.benchmark.name,
      number(result.operation.minimum) + " ns",
      number(result.operation.median) + " ns",
      number(result.yardstick.minimum),
      number(result.ratio, digits: 2),
      number(result.benchmark.limit, digits: 1),
      verdict,
      number(result.operation.allocations, digits: 2, ifWhole: 0),
    ])
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [40, 12, 12, 10, 7, 7, 8, 8]
    var line = zip(cells, widths).enumerated().map { column, cell in
      let spaces = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column == 0 ? cell.0 + spaces : spaces + cell.0
    }.joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func number(_ value: Double?, digits: Int = 1, ifWhole: Int? = nil) -> String {
    guard let value else { return "" }
    let digits = value == value.rounded() ? ifWhole ?? digits : digits
    return String(format: "%.\(digits)f", value)
  }
}
