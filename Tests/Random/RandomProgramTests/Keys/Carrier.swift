import ComposableDependencies
import DependencyCarriers

/// A carrier from one process to another.
enum Carrier: Int, CaseIterable {
  case fields
  case baggage
  case environment

  func carry<Key: CarriedKey>(
    _ key: Key.Type, from scope: DependencyScope, to other: DependencyScope
  ) -> DependencyScope {
    var fields: [String: String] = [:]
    switch self {
    case .fields:
      scope.inject(key) { fields[$0] = $1 }
      return other.extracting(key) { fields[$0] }
    case .baggage:
      var baggage = Baggage("other=1")
      scope.inject(key, into: &baggage)
      return other.extracting(key, from: Baggage(baggage.header()))
    case .environment:
      scope.inject(key, intoEnvironment: &fields)
      return other.extracting(key, fromEnvironment: fields)
    }
  }
}
