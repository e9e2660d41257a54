import ComposableEnvironment

extension Request {
  /// Children, and tasks like them, are in the scope that they are made in.
  func fanOut() async {
    await withTaskGroup { group in
      for _ in 1...3 {
        group.addTask { probe.read(at: .groupChild) }
      }
    }
    await Task { probe.read(at: .unstructuredTask) }.value
  }

  /// A detached task is in no scope, unless one is named.
  func audit() async {
    await Task.detached(in: .current) { [probe] in
      probe.read(at: .detachedTask)
      DependencyScope.current.logger.log("answered")
    }.value
  }
}
