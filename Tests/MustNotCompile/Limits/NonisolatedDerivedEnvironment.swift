// flags: -default-isolation MainActor
// Not wanted: such a struct should compile, and this file go once it does.

import ComposableEnvironment

nonisolated struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: 'nonisolated' cannot be applied to mutable stored properties
  @DerivedEnvironment<Child> var child
}

nonisolated struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
}
