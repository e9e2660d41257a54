import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("The time that a schedule waits for jobs from outside")
struct PatienceTests {
  @Test("is the limit until a wait has timed out, however soon others ended")
  func limit() {
    var patience = Patience(limit: .seconds(5))
    #expect(patience.duration(isShown: true) == .seconds(5))
    patience.didWait(.milliseconds(1), successfully: true)
    #expect(patience.duration(isShown: true) == .seconds(5))
  }

  @Test("is short after that if nothing has come, and zero for a schedule that isn't shown")
  func short() {
    var patience = Patience(limit: .seconds(5))
    patience.didWait(.seconds(5), successfully: false)
    #expect(patience.duration(isShown: false) == .zero)
    #expect(patience.duration(isShown: true) == .milliseconds(2))
  }

  @Test("is longer after that than any job took to come, up to the limit")
  func long() {
    var patience = Patience(limit: .seconds(5))
    patience.didWait(.seconds(1), successfully: true)
    patience.didWait(.milliseconds(1), successfully: true)
    patience.didWait(.seconds(5), successfully: false)
    #expect(patience.duration(isShown: true) == .seconds(4) + .milliseconds(2))
    #expect(patience.duration(isShown: false) == .seconds(4) + .milliseconds(2))
    patience.didWait(.seconds(3), successfully: true)
    #expect(patience.duration(isShown: true) == .seconds(5))
  }
}
