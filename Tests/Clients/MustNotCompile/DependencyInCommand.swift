import ComposableDependencies

/// The commands of swift-argument-parser are decodable.
protocol Command: Decodable {}

// error: type 'Fetch' does not conform to protocol 'Decodable'
struct Fetch: Command {
  @Dependency(\.limit) var limit
}
