import ComposableEnvironment

extension Request {
  /// Child tasks and `Task {}` inherit the scope that creates them.
  func fanOut() async {
    await withTaskGroup { group in
      for _ in 1...3 {
        group.addTask { probe.read(at: .groupChild) }
      }
    }
    await Task { probe.read(at: .unstructuredTask) }.value
  }

  /// A detached task runs outside any scope, unless you pass one.
  func audit() async {
    await Task.detached(in: .current) { [probe] in
      probe.read(at: .detachedTask)
      DependencyScope.current.logger.log("answered")
    }.value
  }
}
