/// Aliases for names of this library that another library may declare, too.
///
/// ```text
/// import ComposableEnvironment
/// import Dependencies  // declares a `DependencyKey` and a `@Dependency`, too
///
/// struct Feature: ComposableEnvironment {
///   let scope = DependencyScope.current
///   @Compatible.Dependency(\.apiClient) var client
/// }
/// ```
public enum Compatible {
  /// This library's ``ComposableDependencies/DependencyKey``.
  public typealias DependencyKey = ComposableDependencies.DependencyKey

  /// This library's ``ComposableDependencies/Dependency``.
  public typealias Dependency = ComposableDependencies.Dependency

  /// This library's ``ComposableDependencies/Dependencies``.
  public typealias Dependencies = ComposableDependencies.Dependencies
}
