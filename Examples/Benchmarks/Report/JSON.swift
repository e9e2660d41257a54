import Foundation

/// The results for other programs, without what wasn't measured.
struct JSON: Encodable {
  struct Entry: Encodable {
    let name: String
    let title: String
    let against: String?
    let nanoseconds: Double?
    let medianNanoseconds: Double?
    let yardstickNanoseconds: Double?
    let ratio: Double?
    let limit: Double?
    let isWithinLimits: Bool?
    let allocations: Double?
    let bytes: Double?

    init(_ result: Result) {
      name = result.benchmark.name
      title = result.benchmark.title
      against = result.benchmark.yardstick
      nanoseconds = result.operation.minimum
      medianNanoseconds = result.operation.median
      yardstickNanoseconds = result.yardstick.minimum
      ratio = result.ratio
      limit = result.benchmark.limit
      isWithinLimits = result.isWithinLimits()
      allocations = result.operation.allocations
      bytes = result.bytes
    }
  }

  let benchmarks: [Entry]

  init(_ results: [Result]) {
    benchmarks = results.map(Entry.init)
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
