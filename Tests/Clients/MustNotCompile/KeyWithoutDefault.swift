import ComposableDependencies

// error: type 'LimitKey' does not conform to protocol 'DependencyKey'
enum LimitKey: DependencyKey {
  typealias Value = Int
}
