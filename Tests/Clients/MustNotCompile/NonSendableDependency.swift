import ComposableDependencies

class Cache {
  var values: [String: Int] = [:]
}

// error: type 'Cache' does not conform to the 'Sendable' protocol
enum CacheKey: DependencyKey {
  static var defaultValue: Cache { Cache() }
}
