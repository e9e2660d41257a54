import ComposableEnvironment

private struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
}

private struct Pages: ComposableEnvironment {
  let scope = DependencyScope.current
  var pageSize = 1
  // block: mutating func adopt(
}
