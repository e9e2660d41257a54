import ComposableTesting
import TestSupport

/// What the reducers and effects of one program share.
final class World: Sendable {
  let journal = Journal()
  let gates = Gates()
  let clock: TellingClock
  let actor = Bystander()

  init() {
    clock = TellingClock(journal: journal)
  }
}

/// Which of the actions that the program sends to its stores all that happens comes from.
enum Cause {
  @TaskLocal static var task: Int?
}

/// An actor for effects to call.
actor Bystander {
  func reading() async -> Reading {
    await Task.yield()
    return .current
  }
}

/// The clock of a program, which tells who sleeps.
struct TellingClock: Clock {
  let base = TestClock()
  let start: TestClock.Instant
  let journal: Journal

  init(journal: Journal) {
    self.journal = journal
    start = base.now
  }

  var now: TestClock.Instant { base.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    let time = start.duration(to: deadline)
    journal.record(.sleeps(until: Int(time.components.seconds)))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
