/// A value through which a feature reads its dependencies.
///
/// Conform to `ComposableEnvironment`, which captures a scope when it is created, or to
/// `GlobalEnvironment`, which reads the current scope. Each can derive the other with
/// ``DerivedEnvironment``.
public protocol DependencyEnvironment: Sendable {
  /// Creates the environment in the current scope.
  init()
}
