import ComposableTesting
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@Suite("A timer", .isolatedDependencies)
struct ClockTimerTests {
  private let clock = TestClock()

  private final class Ticks: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test("ticks at each end of an interval, counted, until its task is cancelled")
  func ticks() async {
    let ticks = Ticks()
    let clock = clock
    await withTaskGroup { group in
      group.addTask {
        for await tick in clock.timer(interval: .seconds(2)) { ticks.append(tick) }
        ticks.append(-1)
      }
      await clock.advance(by: .milliseconds(1_999))
      #expect(ticks.all == [])
      await clock.advance(by: .milliseconds(1))
      #expect(ticks.all == [1])
      await clock.advance(by: .seconds(7))
      #expect(ticks.all == [1, 2, 3, 4])
      group.cancelAll()
    }
    #expect(ticks.all == [1, 2, 3, 4, -1])
  }

  @Test("skips intervals that its task is too late for, and doesn't drift")
  func late() async {
    let ticks = Ticks()
    let clock = clock
    await withTaskGroup { group in
      group.addTask {
        for await tick in clock.timer(interval: .seconds(1)) {
          ticks.append(tick)
          try? await clock.sleep(for: .milliseconds(2_500))
        }
      }
      await clock.advance(by: .seconds(8))
      #expect(ticks.all == [1, 4, 7])
      group.cancelAll()
    }
  }

  @Test("works on the existential, on any clock, and starts anew for each task")
  func existential() async {
    let clocks: [any Clock<Duration>] = [ImmediateClock(), ContinuousClock(), SuspendingClock()]
    for clock in clocks {
      let timer = clock.timer(interval: .nanoseconds(1), tolerance: .zero)
      for _ in 0..<2 {
        var numbers: [Int] = []
        for await tick in timer.prefix(3) { numbers.append(tick) }
        #expect(numbers.count == 3)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
        if clock is ImmediateClock { #expect(numbers == [1, 2, 3]) }
      }
    }
  }

  @Test("keeps no memory by ticks", .enabled(if: Allocations.areCounted))
  func memory() async {
    // In a separate process, in which no other test allocates.
    await #expect(processExitsWith: .success) {
      var (bytes, growth) = (0, 0)
      for await tick in ImmediateClock().timer(interval: .seconds(1)).prefix(21_000) {
        if tick == 1_000 { bytes = Allocations.bytesInUse }
        if tick == 21_000 { growth = Allocations.bytesInUse - bytes }
      }
      // A layer around a closure takes more than 100 bytes a tick. The allocator counts what it keeps
      // for each thread as in use: 80 KB more after some runs, however many ticks there were.
      #expect(growth < 500_000)
    }
  }

  @MainActor
  @Test("is iterated on an actor")
  func mainActor() async {
    var iterator = ImmediateClock().timer(interval: .seconds(1)).makeAsyncIterator()
    #expect(await iterator.next(isolation: #isolation) == 1)
    #expect(await iterator.next() == 2)
  }

  @Test("has no elements in a cancelled task")
  func cancelled() async {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      var iterator = ContinuousClock().timer(interval: .nanoseconds(1)).makeAsyncIterator()
      return await iterator.next()
    }
    #expect(await task.value == nil)
  }

  /// A clock whose first sleep fails.
  private final class FailingOnce: Clock {
    struct Failure: Error {}
    let clock = ImmediateClock()
    let sleeps = Atomic<Int>(0)

    var now: ImmediateClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ImmediateClock.Instant, tolerance: Duration?) async throws {
      if sleeps.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { throw Failure() }
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test("stays at its end after a sleep that throws")
  func ended() async {
    var iterator = FailingOnce().timer(interval: .seconds(1)).makeAsyncIterator()
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test("with an interval of zero is empty, and reported")
  func noInterval() async {
    let issues = await issues {
      for await _ in clock.timer(interval: .zero) { Issue.record("ticked") }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.problem.contains("interval of a timer is 0.0 seconds") == true)
  }
}
