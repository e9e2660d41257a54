import ComposableDependencies
import DependencyCarriers
import Foundation

/// Values that travel to another process, and are read there.
extension Catalog {
  static let carriers = [
    Benchmark(
      "limits/baggage", "five values into baggage, out of it, and read",
      against: "Foundation's percent-encoding of the same text, and decoding", limit: 2
    ) {
      Benchmark.Subject(operation: CarriedValues.throughBaggage, yardstick: CarriedValues.byHand)
    },
    Benchmark(
      "limits/extracting", "three headers extracted, and read",
      against: "the same read, decoded and overridden by hand", limit: 3
    ) {
      Benchmark.Subject(
        operation: CarriedValues.extracted, yardstick: CarriedValues.overriddenByHand)
    },
  ]
}
