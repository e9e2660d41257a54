import Testing

@testable import request_scopes

@Suite("The report")
struct ReportTests {
  @Test("a tally distinguishes another request's value, no value and the right one")
  func tally() {
    let tally = Tally()
    tally.count(.deinitializer, expected: 1, plain: 1, library: 1)
    tally.count(.deinitializer, expected: 1, plain: 2, library: 1)
    tally.count(.deinitializer, expected: 1, plain: nil, library: 1)
    #expect(
      tally[.deinitializer]
        == Counts(reads: 3, plain: Wrong(other: 1, none: 1), library: Wrong()))
    #expect(tally[.asyncLet] == Counts())
  }

  @Test("wrong reads of plain task-locals aren't failures")
  func success() {
    let tally = Tally()
    tally.count(.onCancel, expected: 1, plain: nil, library: 1)
    #expect(RequestScopes.exitStatus(tally, Ledger()) == .success)
  }

  @Test("one wrong read of a scope is a failure, and is in the table", arguments: [2, nil])
  func failure(read: Int?) {
    let tally = Tally()
    tally.count(.onCancel, expected: 1, plain: 1, library: read)
    #expect(RequestScopes.exitStatus(tally, Ledger()) == .failure)
    let row = table(tally).split(separator: "\n").first { $0.hasPrefix("cancellation handler") }
    let numbers = row?.split(separator: " ").suffix(5)
    #expect(numbers == (read == nil ? ["1", "0", "0", "0", "1"] : ["1", "0", "0", "1", "0"]))
  }

  @Test("memory is flat if it grows by at most a quarter and 8 MiB")
  func memory() {
    #expect(MemoryUse(early: 1000, late: 9442).isFlat)
    #expect(!MemoryUse(early: 1000, late: 9443).isFlat)
  }
}
