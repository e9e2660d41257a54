import Testing

@testable import ComposableTesting

@Suite("The time that a schedule waits for jobs from outside")
struct PatienceTests {
  @Test("is short once nothing has come")
  func short() {
    var patience = Patience()
    #expect(patience.limit(afterOutsideJobs: 0) == .milliseconds(250))
    patience.didWait(successfully: false)
    #expect(patience.limit(afterOutsideJobs: 0) == .milliseconds(10))
  }

  @Test("is long in all schedules of a test once a job has come, awaited or not")
  func long() {
    var (awaited, unawaited) = (Patience(), Patience())
    awaited.didWait(successfully: false)
    awaited.didWait(successfully: true)
    #expect(awaited.limit(afterOutsideJobs: 0) == .seconds(1))
    #expect(unawaited.limit(afterOutsideJobs: 1) == .seconds(1))
    #expect(unawaited.limit(afterOutsideJobs: 0) == .seconds(1))
  }
}
