import ComposableDependencies

enum NumberKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

enum GlobalNumberKey: DependencyKey {
  static var defaultValue: Int { 2 }
}

extension Dependencies {
  var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }

  /// Never overridden here, but set globally.
  var globalNumber: Int {
    get { self[GlobalNumberKey.self] }
    set { self[GlobalNumberKey.self] = newValue }
  }
}

/// As many keys as are asked for.
enum Others {
  private enum Zero: Sendable {}
  private enum Next<Number: Sendable>: Sendable {}
  private enum Key<Number: Sendable>: DependencyKey {
    static var defaultValue: Int { 0 }
  }

  /// Overrides `count` dependencies, and not `number`.
  static func override(_ count: Int, in dependencies: inout Dependencies) {
    override(count, from: Zero.self, in: &dependencies)
  }

  private static func override<Number: Sendable>(
    _ count: Int, from number: Number.Type, in dependencies: inout Dependencies
  ) {
    guard count > 0 else { return }
    dependencies[Key<Number>.self] = count
    override(count - 1, from: Next<Number>.self, in: &dependencies)
  }
}

extension DependencyScope {
  /// A scope with so many overrides, of which that of `number` came first.
  static func overriding(_ count: Int) -> DependencyScope {
    withDependencies {
      $0.number = 7
      Others.override(count - 1, in: &$0)
    } operation: {
      .current
    }
  }

  /// A scope with so many overrides, of which none is of `number`.
  static func overridingOthers(_ count: Int) -> DependencyScope {
    withDependencies {
      Others.override(count, in: &$0)
    } operation: {
      .current
    }
  }
}

/// Runs an operation inside so many scopes, each entered inside the other; the outermost overrides
/// `number`.
func nested<Result>(_ depth: Int, _ operation: () -> Result) -> Result {
  func enter(_ depth: Int) -> Result {
    if depth <= 0 { return operation() }
    return withDependencies {
      $0.globalNumber = depth
    } operation: {
      enter(depth - 1)
    }
  }
  return withDependencies {
    $0.number = 7
  } operation: {
    enter(depth - 1)
  }
}

/// The same for an asynchronous operation.
func nested(_ depth: Int, _ operation: () async -> Void) async {
  if depth <= 0 { return await operation() }
  await withDependencies {
    $0.number = depth
  } operation: {
    await nested(depth - 1, operation)
  }
}
