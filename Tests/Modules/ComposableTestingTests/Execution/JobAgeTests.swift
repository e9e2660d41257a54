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

  @Test("is long after a second in which the job was seen again and again")
  func long() {
    var age = JobAge()
    // Often, because limits may have short steps.
    for step in 0..<10_000 { age.count(1, at: start + .microseconds(step * 100)) }
    #expect(!age.isLong)
    age.count(1, at: start + .seconds(1))
    #expect(age.isLong)
    age.count(2, at: start + .seconds(1))
    #expect(!age.isLong)
    age.count(nil, at: start + .seconds(1))
    age.count(nil, at: start + .seconds(3))
    #expect(!age.isLong)
  }

  @Test("isn't long if the job was seldom seen, because its process or machine may have paused")
  func paused() {
    var age = JobAge()
    for second in 0..<50 { age.count(1, at: start + .seconds(second)) }
    #expect(!age.isLong)
    age.count(1, at: start + .seconds(50))
    #expect(age.isLong)
  }
}
