internal import ComposableDependencies
internal import Environments

/// A `Dependency` of any type.
protocol DeclaredDependency {
  var scope: DependencyScope { get }
  /// The keys that a read reads itself.
  var keys: [any DependencyKey.Type] { get }
}

extension Dependency: DeclaredDependency {
  var scope: DependencyScope { captured }

  var keys: [any DependencyKey.Type] {
    captured.keys { _ = read($0.dependencies) }
  }
}

/// A property of an environment that is declared with a wrapper.
struct DeclaredProperty<Wrapper> {
  let name: String
  let wrapper: Wrapper
}

extension DependencyEnvironment {
  /// The properties declared with `@Dependency`.
  var declaredDependencies: [DeclaredProperty<any DeclaredDependency>] {
    declared { $0 as? any DeclaredDependency }
  }

  /// The properties declared with `@DerivedEnvironment`.
  var derivedEnvironments: [DeclaredProperty<any DerivedWrapper>] {
    declared { $0 as? any DerivedWrapper }
  }

  private func declared<Wrapper>(_ cast: (Any) -> Wrapper?) -> [DeclaredProperty<Wrapper>] {
    // Another task may be changing an actor, but not a new one.
    let environment = self is any Actor ? capturedScope.run { Self() } : self
    return Mirror(reflecting: environment).children.compactMap { child in
      guard let wrapper = cast(child.value) else { return nil }
      return DeclaredProperty(name: propertyName(child.label), wrapper: wrapper)
    }
  }
}

extension DependencyEnvironment {
  /// The scope that the environment reads.
  var capturedScope: DependencyScope { (self as? any ScopeCapturing)?.scope ?? .current }
}

/// The name of a property, from the label of its storage.
func propertyName(_ label: String?) -> String {
  guard let label else { return "?" }
  return label.hasPrefix("_") ? String(label.dropFirst()) : label
}
