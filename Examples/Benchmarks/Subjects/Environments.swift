import ComposableEnvironment

struct ParentEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.number) var declared
  @DerivedEnvironment<ChildEnvironment> var child
}

struct ChildEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.number) var declared
}

/// A child's environment in a stored property, behind one reference.
final class StoredChild: Sendable {
  let child: ChildEnvironment
  init(_ child: ChildEnvironment) { self.child = child }
}
