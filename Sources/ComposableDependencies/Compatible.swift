/// The names of this library that others use too, for a file in which they would clash.
///
/// ```swift
/// import ComposableEnvironment
/// import Dependencies  // has a `DependencyKey` and a `@Dependency` of its own
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
