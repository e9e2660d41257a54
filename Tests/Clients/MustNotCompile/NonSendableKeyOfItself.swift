import ComposableDependencies

// error: type 'Cache' does not conform to the 'Sendable' protocol
class Cache: DependencyKey {
  static var defaultValue: Cache { Cache() }
  var values: [String: Int] = [:]
}
