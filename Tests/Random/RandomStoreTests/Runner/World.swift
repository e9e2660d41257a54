import ComposableReducers
import ComposableTesting
import Synchronization

/// What the reducers and effects of one program share.
final class World: Sendable {
  let journal = Journal()
  let gates = Gates()
  let clock: TellingClock
  let actor = Bystander()
  /// The store tasks of the actions that the program sent.
  let tasks = Mutex<[StoreTask]>([])

  init() {
    clock = TellingClock(journal: journal)
  }
}

/// The program's action that an event comes from.
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

/// A program's clock, which reports its sleepers.
///
/// It shows the end of an advance before it wakes any task. Nothing here waits until woken tasks
/// have run, so their reads in between would be random.
final class TellingClock: Clock {
  private let base = TestClock()
  private let journal: Journal
  private let shown = Mutex(TestClock.Instant())

  init(journal: Journal) {
    self.journal = journal
  }

  var now: TestClock.Instant { shown.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    journal.record(.sleeps(until: Int(deadline.offset.components.seconds)))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  func advance(by duration: Duration) async {
    let end = now.advanced(by: duration)
    shown.withLock { $0 = end }
    await base.advance(to: end)
  }
}
