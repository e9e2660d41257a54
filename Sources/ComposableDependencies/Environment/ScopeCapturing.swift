/// An environment that captures a scope when it is created, and can be made again in another.
///
/// `ComposableEnvironment` is the one to conform to; this is what the modules below it, and
/// generic code, know of it.
public protocol ScopeCapturing: DependencyEnvironment {
  /// The scope that the environment reads.
  ///
  /// Declare it as a stored property, so that it is captured once, at creation:
  ///
  /// ```swift
  /// let scope = DependencyScope.current
  /// ```
  ///
  /// Computed, it would read whatever scope is current; a debug build reports that.
  var scope: DependencyScope { get }

  /// Takes over what `init()` cannot know: the stored properties that are not dependencies.
  ///
  /// To override a dependency for an environment is to make it again, by `init()`, in a new scope.
  /// The new one then adopts from the old one what it has besides:
  ///
  /// ```swift
  /// mutating func adopt(from other: Self) {
  ///   pageSize = other.pageSize
  /// }
  /// ```
  ///
  /// Dependencies and derived environments are taken over without it. The default adopts nothing;
  /// a debug build reports a stored property that is lost.
  mutating func adopt(from other: Self)
}

extension ScopeCapturing {
  /// Adopts nothing.
  public mutating func adopt(from other: Self) {}
}
