/// Aliases for names of this library that another library may declare, too.
///
/// ```swift
/// import ComposableEnvironment
/// import Dependencies  // declares a `DependencyKey` and a `@Dependency`, too
///
/// struct Feature: ComposableEnvironment {
///   let scope = DependencyScope.current
///   @Compatible.Dependency(\.apiClient) var client
/// }
/// ```
public enum Compatible {
  /// ``ComposableDependencies/DependencyKey``.
  public typealias DependencyKey = ComposableDependencies.DependencyKey

  /// ``ComposableDependencies/Dependency``.
  public typealias Dependency = ComposableDependencies.Dependency

  /// ``ComposableDependencies/Dependencies``.
  public typealias Dependencies = ComposableDependencies.Dependencies
}
