@Test(
  "what an overridden dependency returns",
  .dependencies {
    $0.continuousClock = ImmediateClock()
    $0.date = .constant(Date(timeIntervalSince1970: 0))
    $0.uuid = .incrementing
    $0.randomNumberGenerator = .seeded(1)
  })
private func draft() async throws {
  let title = try await Draft().title()
  #expect(title.hasPrefix("\(UUID(0)) of \(Date(timeIntervalSince1970: 0)), "))
}
