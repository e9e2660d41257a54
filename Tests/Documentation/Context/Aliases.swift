@Test("aliases of one environment and of all")
private func aliases() {
  DependencyScope.isolated().run {
    // block: let studio = StudioEnvironment()
    // block: studio.aliasing(
  }
}
