import ComposableTesting
import Testing

@testable import overdrawn_account

@Suite("An account")
struct OverdrawnAccountTests {
  @Test("two withdrawals never overdraw it, in any order of their steps", .exploring())
  func neverOverdraws() async {
    let account = Account(balance: 100)
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance == 20)
  }

  /// Remove `withKnownIssue` to see the report, with the steps and a token that replays them.
  @Test("exploring finds the order in which a careless account is overdrawn")
  func findsTheBug() async throws {
    await withKnownIssue {
      try await explore {
        let account = CarelessAccount(balance: 100)
        async let first: Void = account.withdraw(80)
        async let second: Void = account.withdraw(80)
        _ = await (first, second)
        #expect(await account.balance == 20)
      }
    }
  }
}
