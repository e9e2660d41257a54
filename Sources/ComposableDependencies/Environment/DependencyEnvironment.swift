/// A value through which a feature reads its dependencies.
///
/// Conform to `ComposableEnvironment`, which captures a scope when it is created, or to
/// `GlobalEnvironment`, which reads the current scope. Each can derive the other with
/// ``DerivedEnvironment``.
///
/// An environment describes itself by the values of its declared dependencies. `dump` and a debugger
/// show them, too.
public protocol DependencyEnvironment: Sendable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  /// Creates the environment in the current scope.
  init()
}
