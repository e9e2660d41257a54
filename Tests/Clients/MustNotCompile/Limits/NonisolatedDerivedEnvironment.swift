// flags: -default-isolation MainActor
// A limit: this struct should compile. Delete this file once it does.

import ComposableEnvironment

nonisolated struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: 'nonisolated' cannot be applied to mutable stored properties
  @DerivedEnvironment<Child> var child
}

nonisolated struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
}
