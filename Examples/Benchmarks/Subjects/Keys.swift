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

/// Any number of keys: types whose arguments spell a number in binary digits.
enum Others {
  typealias Setter = @Sendable (inout Dependencies, Int) -> Void
  typealias Path = any WritableKeyPath<Dependencies, Int> & Sendable

  private enum End: Sendable {}
  private enum Zero<Rest: Sendable>: Sendable {}
  private enum One<Rest: Sendable>: Sendable {}
  fileprivate enum Key<Number: Sendable>: DependencyKey {
    static var defaultValue: Int { 0 }
  }
  fileprivate struct Tag<Number: Sendable>: Hashable, Sendable {}

  /// The setters of 16,384 dependencies, looked up once because that costs more than setting.
  private static let all: [(setter: Setter, path: Path)] = (0..<1 << 14).map {
    dependency($0, End.self)
  }

  static let setters = all.map(\.setter)

  static func path(_ number: Int) -> Path { all[number].path }

  private static func dependency<Number: Sendable>(
    _ rest: Int, _ number: Number.Type, digits: Int = 14
  ) -> (Setter, Path) {
    if digits == 0 {
      return (setter(of: Key<Number>.self), \Dependencies.[other: Tag<Number>()])
    }
    return rest & 1 == 0
      ? dependency(rest >> 1, Zero<Number>.self, digits: digits - 1)
      : dependency(rest >> 1, One<Number>.self, digits: digits - 1)
  }

  /// Returns a setter that keeps the key's metadata.
  ///
  /// A closure that names `Key<Number>` would look it up in Swift's cache of generic types at each
  /// call, which costs as much as the override.
  private static func setter<Key: DependencyKey<Int>>(of key: Key.Type) -> Setter {
    { $0[key] = $1 }
  }

  /// Overrides `count` dependencies, but not `number`.
  static func override(_ count: Int, in dependencies: inout Dependencies) {
    for setter in setters.prefix(count) { setter(&dependencies, count) }
  }
}

extension Dependencies {
  fileprivate subscript<Number>(other number: Others.Tag<Number>) -> Int {
    get { self[Others.Key<Number>.self] }
    set { self[Others.Key<Number>.self] = newValue }
  }
}

extension DependencyScope {
  /// Returns a scope with a number of overrides, the first of which is `number`.
  static func overriding(_ count: Int) -> DependencyScope {
    withDependencies {
      $0.number = 7
      Others.override(count - 1, in: &$0)
    } operation: {
      .current
    }
  }

  /// Returns a scope with a number of overrides, without `number`.
  static func overridingOthers(_ count: Int) -> DependencyScope {
    withDependencies {
      Others.override(count, in: &$0)
    } operation: {
      .current
    }
  }
}

/// Runs an operation inside a number of nested scopes, the outermost of which overrides `number`.
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
