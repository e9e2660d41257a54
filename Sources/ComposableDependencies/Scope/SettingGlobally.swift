extension DependencyScope {
  /// Sets a dependency in the global store of this scope.
  package func setGlobally<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value
  ) {
    let store = node.store
    var dependencies = Dependencies(node: OverrideNode(table: OverrideTable(store: store)))
    dependencies[keyPath: keyPath] = value
    store.set((dependencies.node?.overrides ?? [:]).values)
  }
}
