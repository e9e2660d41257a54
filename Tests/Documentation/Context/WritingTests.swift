/// Tries twice, with a minute between.
private func retry() async -> Int {
  try? await DependencyScope.current.continuousClock.sleep(for: .seconds(60))
  return 2
}
