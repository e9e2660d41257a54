public import ComposableDependencies

/// A value through which a feature reads its dependencies.
///
/// Conform to `ComposableEnvironment`, which captures a scope when it is created, or to
/// `GlobalEnvironment`, which reads the current scope. Each can derive the other with
/// ``DerivedEnvironment``.
public protocol DependencyEnvironment: Sendable {
  /// Creates the environment in the current scope.
  init()
}

/// An environment that captures a scope when it is created, and can be recreated in another.
///
/// Conform to `ComposableEnvironment` instead. This protocol is for generic code.
public protocol ScopeCapturing: DependencyEnvironment {
  /// The scope that the environment reads.
  ///
  /// Declare it as a stored property, so that it is captured once, at creation:
  ///
  /// ```swift
  /// let scope = DependencyScope.current
  /// ```
  ///
  /// Don't compute it: a computed `scope` reads the current scope. A debug build reports that.
  var scope: DependencyScope { get }

  /// Copies the stored properties that `init()` can't know: those that aren't dependencies.
  ///
  /// Overriding a dependency recreates the environment, with `init()`, in a new scope. The new
  /// environment then adopts the remaining properties of the old one:
  ///
  /// ```swift
  /// mutating func adopt(from other: Self) {
  ///   pageSize = other.pageSize
  /// }
  /// ```
  ///
  /// Dependencies and derived environments are carried over without it. The default implementation
  /// adopts nothing; a debug build reports each equatable property that is lost.
  mutating func adopt(from other: Self)
}

extension ScopeCapturing {
  /// Adopts nothing.
  public mutating func adopt(from other: Self) {}
}
