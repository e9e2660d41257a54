import Dispatch
import Testing

@testable import ComposableTesting

@Suite("The age of a job")
struct JobAgeTests {
  private let start = DispatchTime(uptimeNanoseconds: 1_000_000_000)

  @Test("is the number of times in a row that the job was seen")
  func steps() {
    var age = JobAge()
    func steps(_ job: Int?) -> Int {
      age.count(job)
      return age.steps
    }
    #expect([1, 1, 1, 2, 2, nil, nil, 2].map { steps($0) } == [0, 1, 2, 0, 1, 0, 0, 0])
    #expect(age.number == 2)
  }

  @Test("is long after a second, if other threads have had many turns since")
  func long() {
    var age = JobAge { $0() }
    for _ in 0...50 { age.count(1, at: start) }
    #expect(!age.isLong(at: start + .milliseconds(999)))
    #expect(age.isLong(at: start + .seconds(1)))
    age.count(2, at: start)
    #expect(!age.isLong(at: start + .seconds(59)))
  }

  @Test("isn't long if other threads have had few turns, because the whole process may have paused")
  func paused() {
    var age = JobAge { $0() }
    for _ in 0..<50 { age.count(1, at: start) }
    #expect(!age.isLong(at: start + .seconds(59)))
    age.count(1, at: start + .seconds(59))
    #expect(age.isLong(at: start + .seconds(59)))
  }

  @Test("is long after a minute even if no other thread gets a turn")
  func noTurns() {
    var age = JobAge { _ in }
    for _ in 0..<1000 { age.count(1, at: start) }
    #expect(!age.isLong(at: start + .seconds(59)))
    #expect(age.isLong(at: start + .seconds(60)))
  }

  @Test("counts a turn of another thread only after the one before")
  func oneTurnAtATime() {
    let turns = ThreadTurns()
    let waiting = Shared<[@Sendable () -> Void]>([])
    for _ in 0..<10 { turns.next { turn in waiting.update { $0.append(turn) } } }
    #expect(waiting.value.count == 1)
    waiting.value.first?()
    #expect(turns.count == 1)
    turns.next { turn in waiting.update { $0.append(turn) } }
    #expect(waiting.value.count == 2)
    #expect(turns.count == 1)
  }
}
