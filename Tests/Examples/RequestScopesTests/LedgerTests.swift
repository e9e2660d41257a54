import ComposableEnvironment
import ComposableResources
import Testing

@testable import request_scopes

@Suite("The ledger")
struct LedgerTests {
  @Test(
    "it finds what was left open",
    arguments: [
      (PlantedLeak.connection, "connection 10"), (.transaction, "transaction 10"),
      (.cache, "cache 1"),
    ])
  func leaks(leak: PlantedLeak, left: String) async {
    let transcript = await run(["--requests", "70", "--leak", leak.rawValue])
    #expect(transcript.status == .failure)
    let last = transcript.standardOutput.joined().split(separator: "\n").last
    #expect(last == "60 committed, 10 rolled back, LEFT OPEN: \(left)")
  }

  @Test("it finds what was closed twice")
  func closedTwice() {
    let ledger = Ledger()
    ledger.open(.session)
    ledger.close(.session)
    #expect(ledger.isBalanced)
    ledger.close(.session)
    #expect(!ledger.isBalanced)
    #expect(table(ledger).hasSuffix("0 committed, 0 rolled back, LEFT OPEN: session -1"))
  }

  @Test("a transaction commits only if its operation succeeds")
  func transactions() async throws {
    struct Failure: Error {}
    let ledger = Ledger()
    try await withDependencies {
      $0.ledger = ledger
    } operation: {
      try await withResources(PoolKey.self, SessionKey.self) {
        try await withResources(TransactionKey.self) {
          DependencyScope.current.transaction.succeed()
        }
        await #expect(throws: Failure.self) {
          try await withResources(TransactionKey.self) { throw Failure() }
        }
      }
    }
    #expect(ledger.committed == 1)
    #expect(ledger.closed(.transaction) == 2)
    #expect(ledger.isBalanced)
  }

  @Test("a request runs on the test's own pool")
  func override() async throws {
    let (ledger, other) = (Ledger(), Ledger())
    let pool = Pool(ledger: other)
    try await withDependencies {
      $0.ledger = ledger
      $0.pool = pool
    } operation: {
      try await withResources(PoolKey.self, SessionKey.self) {
        #expect(DependencyScope.current.pool === pool)
      }
    }
    #expect(ledger.opened(.pool) == 0)
    #expect(other.closed(.connection) == 1)
  }
}
