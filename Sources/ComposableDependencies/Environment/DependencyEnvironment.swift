/// A value through which a feature reads its dependencies; it can be made from nothing.
///
/// Conform to `ComposableEnvironment`, which captures a scope when it is created, or to
/// `GlobalEnvironment`, which reads whatever is current. Either can be derived from the other with
/// ``DerivedEnvironment``.
public protocol DependencyEnvironment: Sendable {
  /// Makes the environment, in the current scope.
  init()
}
