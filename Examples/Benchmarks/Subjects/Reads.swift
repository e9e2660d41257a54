import ComposableEnvironment

func readCurrent(in scope: DependencyScope) -> Workload {
  Workload { count in
    scope.run { for _ in 0..<count { sink(DependencyScope.current.number) } }
  }
}

/// By the type of the key: without a property, and so without a key path.
func readKey(in scope: DependencyScope) -> Workload {
  Workload { count in
    scope.run { for _ in 0..<count { sink(DependencyScope.current[NumberKey.self]) } }
  }
}

func readWrapper(in scope: DependencyScope) -> Workload {
  let child = scope.run { ChildEnvironment() }
  return Workload { count in
    let child = opaque(child)
    scope.run { for _ in 0..<count { sink(child.declared) } }
  }
}

func readEnvironment(in scope: DependencyScope) -> Workload {
  let child = scope.run { ChildEnvironment() }
  return Workload { count in
    let child = opaque(child)
    scope.run { for _ in 0..<count { sink(child.number) } }
  }
}

/// Overrides one dependency, enters the scope and leaves it.
func enter(in scope: DependencyScope) -> Workload {
  Workload { count in
    scope.run {
      for number in 0..<count {
        withDependencies {
          $0.number = number
        } operation: {
          sink(0)
        }
      }
    }
  }
}

/// Creates a scope with one more override, without entering it.
func override(in scope: DependencyScope) -> Workload {
  Workload { count in
    for number in 0..<count { sink(scope.with { $0.number = number }) }
  }
}

/// Sets a dependency without an override by its key path, compared to setting it in a closure.
func overrideByKeyPath() -> Benchmark.Subject {
  let scope = DependencyScope.overridingOthers(1)
  return Benchmark.Subject(
    operation: Workload { count in
      for number in 0..<count { sink(scope.with(\.number, number)) }
    },
    yardstick: override(in: scope))
}

/// Enters a scope with one override outside any scope, as each request of a server begins.
func enterOutsideAnyScopeInTwoThreads() -> Workload {
  Workload(threads: 2) { count in
    for number in 0..<count {
      withDependencies {
        $0.number = number
      } operation: {
        sink(0)
      }
    }
  }
}

/// Enters a scope with one more override in which an operation suspends.
func enterAsynchronously(in scope: DependencyScope) -> Workload {
  Workload(suspending: { count in
    await scope.run {
      for number in 0..<count {
        await withDependencies {
          $0.number = number
        } operation: {
          sink(await Bare.nothing())
        }
      }
    }
  })
}

/// Reads a default through a wrapper that was created in another scope than the current one.
func readDefaultElsewhere() -> Workload {
  let child = DependencyScope.overridingOthers(1).run { ChildEnvironment() }
  return Workload { count in
    let child = opaque(child)
    for _ in 0..<count { sink(child.declared) }
  }
}

/// Reads a global value in two threads, each in a scope of its own.
func readGlobalInTwoThreads(_ scope: @escaping @Sendable () -> DependencyScope) -> Workload {
  Workload(threads: 2) { count in
    let scope = scope()
    let child = scope.run {
      Dependencies.setGlobally { $0.globalNumber = 3 }
      return GlobalChild()
    }
    for _ in 0..<count { sink(child.declared) }
  }
}

private struct GlobalChild: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.globalNumber) var declared
}
