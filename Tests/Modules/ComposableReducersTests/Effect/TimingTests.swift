import ComposableReducers
import ComposableTesting
import Synchronization
import TestSupport
import Testing

@Suite("Debounce and throttle", .timeLimit(.minutes(10)))
struct TimingTests {
  private let clock = TestClock()

  @Test("an effect that cancels those under its identifier doesn't cancel what it is a part of")
  func partUnderTheSameIdentifier() async {
    let store = recordingStore { [clock] number in
      let search = Effect<RecordingAction>.run { await $0(.record("\(number)")) }
        .cancellable(id: "id", cancelInFlight: true)
      switch number {
      case 0, 1: return search.throttle(id: "id", for: .seconds(1), clock: clock, latest: true)
      case 2: return search.debounce(id: "id", for: .seconds(1), clock: clock)
      default:
        return .run { send in
          try await send.withTaskCancellation(id: "id", cancelInFlight: true) { send in
            await send(.record("\(number)"))
          }
        }
        .cancellable(id: "id")
      }
    }
    await store.send(.start(0)).finish()
    for number in 1...2 {
      let task = await store.send(.start(number))
      await clock.waitForSleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await task.finish()
    }
    await store.send(.start(3)).finish()
    #expect(await store.state == ["0", "1", "2", "3"])
  }

  @Test("effects of many identifiers are throttled at the same time")
  func manyThrottles() async {
    let store = Store(
      initialState: [],
      reducer: Reducer<[Int], Int, Void> { [clock] state, number, _ in
        guard number >= 0 else {
          state.append(-number)
          return .none
        }
        return Effect.send(-number)
          .throttle(id: number, for: .seconds(1), clock: clock, latest: true)
      },
      environment: ())
    for number in 1...100 { await store.send(number).finish() }
    #expect(await store.state == Array(1...100))
    var waiting: [StoreTask] = []
    for number in 1...100 { waiting.append(await store.send(number)) }
    #expect(await store.state.count == 100)
    await clock.waitForSleepers(atLeast: 100)
    await clock.advance(by: .seconds(1))
    for task in waiting { await task.finish() }
    #expect(await store.state.sorted() == (1...100).flatMap { [$0, $0] })
  }

  /// A clock whose sleepers wake later than they should.
  private final class LateClock: Clock {
    typealias Instant = TestClock.Instant

    private let time = Mutex(Instant())
    let bell = Gate()

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    func sleep(until deadline: Instant, tolerance: Duration?) async { await bell.wait() }
  }

  @Test(
    "an effect that arrives at the end of an interval waits in the next, even if another still waits",
    arguments: [false, true])
  func arrivingAtTheEnd(latest: Bool) async {
    let clock = LateClock()
    let store = Store(
      initialState: [],
      reducer: Reducer<[Int], Int, Void> { state, number, _ in
        guard number < 0 else {
          state.append(number)
          return .none
        }
        return Effect.send(-number)
          .throttle(id: 1, for: .seconds(1), clock: clock, latest: latest)
      },
      environment: ())
    await store.send(-1).finish()
    var waiting = [await store.send(-2)]
    await clock.bell.waitForArrivals(1)
    clock.advance(by: .seconds(1))
    waiting.append(await store.send(-3))
    await clock.bell.waitForArrivals(2)
    #expect(await store.state == [1])
    clock.bell.open()
    for task in waiting { await task.finish() }
    #expect(await store.state.sorted() == [1, 2, 3])
  }

  /// A store that records numbers, throttled by one identifier, for negative ones.
  private static func throttling(
    by clock: LateClock, _ id: @escaping @Sendable (Int) -> Int = { _ in 1 }
  ) -> Store<[Int], Int> {
    Store(
      initialState: [],
      reducer: Reducer<[Int], Int, Void> { state, number, _ in
        guard number < 0 else {
          state.append(number)
          return .none
        }
        return Effect.send(-number)
          .throttle(id: id(number), for: .seconds(1), clock: clock, latest: true)
      },
      environment: ())
  }

  @Test("an effect that has waited too long doesn't open the interval of a newer one")
  func waitedTooLong() async {
    let clock = LateClock()
    let store = Self.throttling(by: clock)
    await store.send(-1).finish()
    let late = await store.send(-2)
    await clock.bell.waitForArrivals(1)
    clock.advance(by: .seconds(1))
    let replaced = await store.send(-3)
    await clock.bell.waitForArrivals(2)
    clock.bell.openOnce()
    await late.finish()
    let last = await store.send(-4)
    await clock.bell.waitForArrivals(3)
    clock.bell.open()
    await replaced.finish()
    await last.finish()
    #expect(await store.state == [1, 2, 4])
  }

  @Test("a throttle with an effect that has waited too long is kept among many")
  func waitedTooLongAmongMany() async throws {
    let clock = LateClock()
    let store = Self.throttling(by: clock) { max($0, -100) }
    await store.send(-100).finish()
    let late = await store.send(-101)
    await clock.bell.waitForArrivals(1)
    clock.advance(by: .seconds(1))
    for number in 1...50 { await store.send(-number).finish() }
    // It waits in the next interval, because another one of its identifier still waits.
    let next = await store.send(-102)
    let state = await store.state
    try #require(state == [100] + (1...50))
    await clock.bell.waitForArrivals(2)
    clock.bell.open()
    await late.finish()
    await next.finish()
    #expect(await store.state.sorted() == Array(1...50) + [100, 101, 102])
  }
}
