import ComposableDependencies

// error: type 'WrongKey' does not conform to protocol 'DependencyKey'
enum WrongKey: DependencyKey {
  typealias Value = Int
}
