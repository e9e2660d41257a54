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
