import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The time that a schedule waits for jobs from outside")
struct PatienceTests {
  @Test("is the limit until a wait has timed out, then as long as jobs took to come")
  func waits() {
    var patience = Patience(limit: .seconds(5))
    func expect(_ shown: Duration, otherwise: Duration) {
      #expect(patience.duration(isShown: true) == shown)
      #expect(patience.duration(isShown: false) == otherwise)
    }
    expect(.seconds(5), otherwise: .seconds(5))
    patience.didWait(.seconds(5), successfully: false)
    expect(.milliseconds(2), otherwise: .zero)
    for wait in [Duration.seconds(1), .milliseconds(1)] {
      patience.didWait(wait, successfully: true)
      expect(.milliseconds(4002), otherwise: .milliseconds(4002))
    }
    patience.didWait(.seconds(3), successfully: true)
    expect(.seconds(5), otherwise: .seconds(5))
  }

  @Test("is short for jobs that hold their threads, once one has")
  func threads() {
    var patience = Patience(limit: .seconds(5))
    #expect(patience.threadLimit == .milliseconds(100))
    patience.didHoldThread()
    #expect(patience.threadLimit == .milliseconds(25))
  }
}
