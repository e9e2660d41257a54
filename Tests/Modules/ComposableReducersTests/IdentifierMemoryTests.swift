import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Memory of effect identifiers")
struct IdentifierMemoryTests {
  /// A clock whose intervals are always over.
  private struct EndlessClock: Clock {
    struct Instant: InstantProtocol {
      var offset = Duration.zero
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
  }

  @Test("identifiers are forgotten when no effect needs them")
  func memory() async {
    // In a separate process, in which no other test allocates.
    await #expect(processExitsWith: .success) {
      let reducer = Reducer<Int, Int, Void> { state, number, _ in
        state = number
        return .merge(
          Effect.none.throttle(id: number, for: .zero, clock: EndlessClock(), latest: true),
          Effect.run { _ in }.throttle(
            id: -number, for: .zero, clock: EndlessClock(), latest: true),
          Effect.run { _ in }.cancellable(id: number),
          Effect.none.cancellable(id: "\(number)", cancelInFlight: true), .cancel(id: -number))
      }
      let store = Store(initialState: 0, reducer: reducer, environment: ())
      var bytes = 0
      for number in 0..<20_000 {
        await store.send(number).finish()
        if number == 5_000 { bytes = Allocations.bytesInUse }
      }
      // Less than three bytes per identifier.
      #expect(Allocations.bytesInUse - bytes < 200_000)
      #expect(await store.isIdle)
    }
  }

  /// Counts its instances.
  private final class Token: Hashable, Sendable {
    static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    let count: Count
    init(_ count: Count) {
      self.count = count
      count.number.add(1, ordering: .relaxed)
    }
    deinit { count.number.subtract(1, ordering: .relaxed) }

    final class Count: Sendable {
      let number = Atomic(0)
    }
  }

  @Test("the identifiers of an effect's parts are forgotten while the effect goes on")
  func parts() async {
    let tokens = Token.Count()
    let store = recordingStore { _ in
      .run { send in
        for _ in 0..<100 {
          try await send.withTaskCancellation(id: Token(tokens)) { _ in }
        }
        await send(.record("\(tokens.number.load(ordering: .relaxed) < 5)"))
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["true"])
  }

  @Test("throttles are forgotten when their interval is over, however many were open at once")
  func manyThrottles() {
    var throttles = Throttles()
    let (tokens, time, questions) = (Token.Count(), Token.Count(), Token.Count())
    func add(_ numbers: Range<Int>, isOver: @escaping @Sendable () -> Bool) {
      for number in numbers {
        let token = Token(tokens)
        let throttling = Throttling(latest: true) {
          Throttling.Interval(isOver: { withExtendedLifetime(token, isOver) }, waitForEnd: {})
        }
        let decision = throttles.decide(EffectID(number), throttling) { _ in
          preconditionFailure("Each identifier is new.")
        }
        guard case .runsNow = decision else {
          Issue.record("\(number) doesn't run")
          return
        }
      }
    }
    add(0..<1_000) {
      questions.number.add(1, ordering: .relaxed)
      return time.number.load(ordering: .relaxed) > 0
    }
    #expect(tokens.number.load(ordering: .relaxed) == 1_000)
    // Few for each, however many are open.
    #expect(questions.number.load(ordering: .relaxed) < 4_000)
    time.number.store(1, ordering: .relaxed)
    add(1_000..<3_000) { true }
    #expect(tokens.number.load(ordering: .relaxed) < 100)
  }

  @Test("an effect that has ended keeps none of the groups that it was in")
  func groups() {
    let flight = Flight(EffectRunner(supervisor: nil))
    let task = EffectTask(EffectContext(scope: .root, flight: flight, cause: nil), .nothing)
    weak var group: EffectGroup?
    do {
      let joined = EffectGroup()
      task.join([joined])
      group = joined
    }
    #expect(group != nil)
    task.finish()
    // The runner still has to forget it.
    _ = flight.runner.takeEmptied()
    #expect(group == nil)
  }

  @Test("an identifier is forgotten after its effect, though other actions were sent meanwhile")
  func forgottenLater() async {
    let gate = Gate()
    let reducer = Reducer<Int, Int, Void> { _, number, _ in
      number == 0
        ? Effect.run { _ in await gate.wait() }.cancellable(id: "waiting")
        : .cancel(id: number)
    }
    let store = Store(initialState: 0, reducer: reducer, environment: ())
    let waiting = await store.send(0)
    for number in 1...3 { await store.send(number).finish() }
    gate.open()
    await waiting.finish()
    #expect(await store.isIdle)
  }
}
