/// A builder that aliases dependencies where a derived environment is declared.
///
/// ```swift
/// @DerivedEnvironment<Player>(aliases: { $0.alias(\.playerClock, to: \.clock) }) var player
/// ```
public struct AliasBuilder {
  let scope: DependencyScope
  let location: SourceLocation

  /// Aliases a dependency to another in the global store of the parent's scope.
  ///
  /// From then on, both read the same value in every scope over that store, and a value set through
  /// either is visible through both. Their default is the default of `target`. Repeating an alias
  /// has no effect.
  ///
  /// To find the key of a dependency, the library sets it to its default in a temporary scope: once
  /// for each place in the source that names the dependency, or at each call if the key path
  /// captures arguments of a subscript.
  ///
  /// An alias that would close a cycle changes nothing and reports an issue. So does an alias of a
  /// property that doesn't simply read and set the value of one ``DependencyKey``.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that the child declares.
  ///   - target: The dependency to alias it to.
  @discardableResult
  public func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> AliasBuilder {
    scope.alias(dependency, to: target, at: location)
    return self
  }
}
