import ComposableDependencies

// error: type 'Cache' does not conform to the 'Sendable' protocol
enum CacheKey: DependencyKey {
  static var defaultValue: Cache { Cache() }
}
