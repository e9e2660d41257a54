extension DependencyScope {
  /// Sets dependencies in the global store of this scope.
  ///
  /// What `update` reads is in that store too, or a default.
  package func setGlobally(_ update: (inout Dependencies) -> Void) {
    let store = node.store
    var dependencies = Dependencies(node: OverrideNode(table: OverrideTable(store: store)))
    update(&dependencies)
    store.set(dependencies.node?.overrides ?? [])
  }
}
