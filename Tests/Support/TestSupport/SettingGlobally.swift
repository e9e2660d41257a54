package import ComposableDependencies

extension DependencyScope {
  package func setGlobally<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value
  ) {
    setGlobally { $0[keyPath: keyPath] = value }
  }
}
