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
    }
  ]
}
