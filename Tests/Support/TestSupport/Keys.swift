package import ComposableDependencies

private enum AKey: DependencyKey { static var defaultValue: Int { 1 } }
private enum BKey: DependencyKey { static var defaultValue: Int { 2 } }
private enum CKey: DependencyKey { static var defaultValue: Int { 3 } }
private enum DKey: DependencyKey { static var defaultValue: Int { 4 } }
private enum NameKey: DependencyKey { static var defaultValue: String { "nobody" } }

/// A default that reads another dependency.
private enum DoubleKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current.a * 2 }
}

extension Dependencies {
  package var a: Int {
    get { self[AKey.self] }
    set { self[AKey.self] = newValue }
  }

  package var b: Int {
    get { self[BKey.self] }
    set { self[BKey.self] = newValue }
  }

  package var c: Int {
    get { self[CKey.self] }
    set { self[CKey.self] = newValue }
  }

  package var d: Int {
    get { self[DKey.self] }
    set { self[DKey.self] = newValue }
  }

  package var name: String {
    get { self[NameKey.self] }
    set { self[NameKey.self] = newValue }
  }

  /// Has a default made from `a`.
  package var double: Int {
    get { self[DoubleKey.self] }
    set { self[DoubleKey.self] = newValue }
  }

  /// Has no key of its own.
  package var sum: Int { a + b }
}
