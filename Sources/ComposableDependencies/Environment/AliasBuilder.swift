/// Declares, together with a derived environment, which dependencies are one.
///
/// ```swift
/// @DerivedEnvironment<Player>(aliases: { $0.alias(\.playerClock, to: \.clock) }) var player
/// ```
public struct AliasBuilder {
  let scope: DependencyScope
  let location: SourceLocation

  /// Makes two dependencies one, in the global store of the parent's scope.
  ///
  /// From then on they read the same value in every scope over that store, and a value set through
  /// either is read through both. Their default is that of `target`. Which of the two was declared
  /// first makes no difference, and neither does declaring the same again.
  ///
  /// To learn which key a dependency belongs to, it is set to its default in a scope that is then
  /// thrown away; once in the process for each place in the source that names it, or each time where
  /// a subscript captures its arguments.
  ///
  /// An alias that would close a cycle changes nothing, and reports an issue. So does one of a
  /// property that is not simply the value of one ``DependencyKey``.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that the child declares.
  ///   - target: What it shall be one with.
  @discardableResult
  public func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> AliasBuilder {
    scope.alias(dependency, to: target, at: location)
    return self
  }
}
