@Test("what an overridden dependency returns")
private func draft() async throws {
  try await withOwnDependencies {
    $0.continuousClock = immediateClock
    $0.date = .constant(Date(timeIntervalSince1970: 0))
    $0.uuid = .incrementing
    $0.randomNumberGenerator = .seeded(1)
  } operation: {
    let title = try await Draft().title()
    #expect(title.hasPrefix("\(UUID(0)) of \(Date(timeIntervalSince1970: 0)), "))
  }
}
