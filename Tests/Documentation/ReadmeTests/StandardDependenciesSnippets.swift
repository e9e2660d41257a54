import ComposableTesting
import Foundation
import StandardDependencies
import Testing

struct Draft {
  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date
  @Dependency(\.continuousClock) var clock
  @Dependency(\.randomNumberGenerator) var randomNumbers

  func title() async throws -> String {
    try await clock.sleep(for: .seconds(1))
    let number = randomNumbers { Int.random(in: 1...6, using: &$0) }
    return "\(uuid()) of \(date.now), \(number)"
  }
}

@Suite("Snippets of StandardDependencies")
struct StandardDependenciesSnippets {
  @Test(
    "what an overridden dependency returns",
    .dependencies {
      $0.continuousClock = ImmediateClock()
      $0.date = .constant(Date(timeIntervalSince1970: 0))
      $0.uuid = .incrementing
      $0.randomNumberGenerator = .seeded(1)
    })
  func overridden() async throws {
    let title = try await Draft().title()
    #expect(title.hasPrefix("\(UUID(0)) of \(Date(timeIntervalSince1970: 0)), "))
  }
}
