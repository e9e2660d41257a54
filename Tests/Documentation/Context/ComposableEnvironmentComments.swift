private struct Results: ComposableEnvironment {
  let scope = DependencyScope.current
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Search> var child
}

private func example(_ parent: inout Parent) {
  // block: parent.child[
}
