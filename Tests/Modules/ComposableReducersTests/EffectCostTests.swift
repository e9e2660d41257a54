import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Costs of effects", .enabled(if: Allocations.areCounted))
struct EffectCostTests {
  private func task(_ flight: Flight) -> EffectTask {
    EffectTask(EffectContext(scope: .root, flight: flight, cause: nil), .nothing)
  }

  // A debug build also allocates for each call, so most tests compare. What comes first can also
  // allocate metadata of types, so each test begins with something that isn't counted.

  @Test("adding to a list for which room is reserved allocates less")
  func reserved() {
    let flight = Flight(EffectRunner(supervisor: nil))
    let tasks = (0..<500).map { _ in task(flight) }
    func blocks(isReserved: Bool) -> Int {
      var list = SlotList<EffectTask>()
      if isReserved { list.reserveCapacity(500) }
      return Allocations { for task in tasks { _ = list.insert(task) } }.allocated
    }
    _ = blocks(isReserved: true)
    #expect(blocks(isReserved: true) < blocks(isReserved: false))
  }

  @Test("adding to a flight for which room is reserved allocates less")
  func reservedFlight() {
    func blocks(isReserved: Bool) -> Int {
      let flight = Flight(EffectRunner(supervisor: nil))
      let tasks = (0..<500).map { _ in task(flight) }
      if isReserved { flight.reserveCapacity(500) }
      return Allocations { for task in tasks { _ = flight.add(task) } }.allocated
    }
    _ = blocks(isReserved: true)
    #expect(blocks(isReserved: true) < blocks(isReserved: false))
  }

  @Test("a list that was emptied keeps the memory of up to 64 elements besides the first")
  func emptied() {
    let flight = Flight(EffectRunner(supervisor: nil))
    for (count, isKept) in [(65, true), (65, true), (66, false)] {
      let tasks = (0..<count).map { _ in task(flight) }
      var list = SlotList<EffectTask>()
      let blocks = (0..<2).map { _ in
        let blocks = Allocations { for task in tasks { _ = list.insert(task) } }.allocated
        for (position, task) in tasks.enumerated() { list.remove(task, at: position) }
        return blocks
      }
      #expect((blocks[1] < blocks[0]) == isKept)
    }
  }

  @Test("starting a single effect needs no list")
  func single() {
    let only = task(Flight(EffectRunner(supervisor: nil)))
    let blocks = (0..<2).map { _ in
      var launches = EffectStarter.Launches()
      return Allocations { launches.append(only) }.allocated
    }
    #expect(blocks[1] == 0)
  }

  @Test("merged operations need no list that grows with their number")
  func merged() {
    func blocks(_ count: Int) throws -> Int {
      let runner = EffectRunner(supervisor: nil)
      let (starter, flight) = (EffectStarter(runner), Flight(runner))
      let context = EffectContext(scope: .root, flight: flight, cause: nil)
      let effect = Effect<Int>.merge((0..<count).map { _ in .run { _ in } })
      let node = try #require(effect.node)
      var launches = EffectStarter.Launches()
      let blocks = Allocations { launches = starter.prepare(node, in: context) { _ in } }.allocated
      withExtendedLifetime(launches) {}
      return blocks
    }
    #expect(throws: Never.self) {
      _ = try blocks(300)
      let each = try blocks(301) - blocks(300)
      #expect(try blocks(600) - blocks(300) == 300 * each)
    }
  }

  @Test("combining reducers allocates nothing for the only effect that they return")
  func combined() {
    let effect = Effect<Int>.send(1)
    let (place, scope) = (ReducerPlace(), DependencyScope.root)
    func blocks(_ effect: Effect<Int>) -> Int {
      let reducer = Reducer<Int, Int, Void>.combine(.empty, Reducer { _, _, _ in effect }, .empty)
      let context = unsafe ReducerContext(
        place: .passUnretained(place), scope: BorrowedScope(scope))
      var state = 0
      return Allocations { _ = reducer.reduce(&state, 1, (), context) }.allocated
    }
    _ = blocks(effect)
    #expect(blocks(effect) == blocks(.none))
    withExtendedLifetime((place, scope)) {}
  }

  @Test("the first task that waits for an action's effects costs less than those after it")
  func waiting() async {
    let executor = ManualExecutor()
    func blocks() async -> [Int] {
      let flight = Flight(EffectRunner(supervisor: nil))
      flight.addWaitingAction()
      var waiting: [Task<Void, Never>] = []
      let blocks = (0..<2).map { _ in
        waiting.append(Task(executorPreference: executor) { await flight.finish() })
        return Allocations { executor.drain() }.allocated
      }
      flight.removeWaitingAction()
      executor.drain()
      for task in waiting { await task.value }
      return blocks
    }
    _ = await blocks()
    let counts = await blocks()
    #expect(counts[0] < counts[1])
  }

  @Test("the scope of an environment is captured once, until it is another one")
  func scopes() {
    let place = ReducerPlace()
    let scopes = (0..<2).map { DependencyScope.isolated().with(\.a, $0) }
    var count = 0
    for scope in [scopes[0], scopes[0], scopes[1], scopes[1], scopes[0]] {
      _ = place.scope(scope.identity) {
        count += 1
        return scope
      }
    }
    #expect(count == 3)
  }
}

/// What a store does after each action to find out which children are gone.
@Suite("Costs of effects of children")
struct ChildEffectCostTests {
  private final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func increment() { number.add(1, ordering: .relaxed) }
  }

  /// An id that counts how often it is hashed.
  private struct CountedID: Hashable, Sendable {
    let number: Int
    let hashes: Count

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) {
      hashes.increment()
      hasher.combine(number)
    }
  }

  private struct Row: Identifiable, Sendable {
    let id: CountedID
  }

  private struct App: Sendable {
    let reads = Count()
    var rows = IdentifiedArray<CountedID, Row>()
    /// A part that is computed.
    var other: Int {
      get {
        reads.increment()
        return 0
      }
      set {}
    }
  }

  private enum Action: Sendable {
    case row(CountedID, Effect<Int>)
    case other(Int)
    case nothing
  }

  private static let reducer = Reducer<App, Action, Void>.combine(
    Reducer<Row, Effect<Int>, Void> { _, effect, _ in effect.map { _ in .none } }
      .forEach(state: \.rows, action: /Action.row, environment: { $0 }),
    Reducer<Int, Int, Void> { _, _, _ in .none }
      .pullback(state: \.other, action: /Action.other, environment: { $0 }))

  @Test("an action that adds and removes no element looks for none, and at no other children")
  func unchanged() async {
    let (hashes, goOn) = (Count(), Gate())
    var app = App()
    let ids = (0..<50).map { CountedID(number: $0, hashes: hashes) }
    for id in ids { app.rows.append(Row(id: id)) }
    let store = Store(initialState: app, reducer: Self.reducer, environment: ())
    await store.send(.other(1))
    var tasks: [StoreTask] = []
    for id in ids {
      tasks.append(await store.send(.row(id, .run { _ in await goOn.wait() })))
    }
    let (hashesBefore, readsBefore) = (hashes.value, app.reads.value)
    await store.send(.nothing)
    #expect(hashes.value == hashesBefore)
    #expect(app.reads.value == readsBefore)
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await store.isIdle)
  }
}
