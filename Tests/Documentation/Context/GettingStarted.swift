private func measuredTemperature(in city: String) async throws -> Double { 4 }

@Test("a value for the whole program", .isolatedDependencies)
private func setting() {
  #expect(isMetric())
  // block: Dependencies.setGlobally {
  #expect(!isMetric())
}
