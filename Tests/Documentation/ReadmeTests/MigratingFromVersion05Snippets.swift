import ComposableReducers
import ComposableTesting
import Testing

enum ClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { ContinuousClock() }
}

private enum DieKey: DependencyKey {
  static var defaultValue: @Sendable () -> Int { { Int.random(in: 1...6) } }
}

extension Dependencies {
  var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
  var die: @Sendable () -> Int {
    get { self[DieKey.self] }
    set { self[DieKey.self] = newValue }
  }
}

struct PlayerState: Equatable {
  var rolls: [Int] = []
}

enum PlayerAction {
  case tapped
  case rolled(Int)
}

struct PlayerEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.die) var die
}

let playerReducer = Reducer<PlayerState, PlayerAction, PlayerEnvironment> {
  state, action, environment in
  switch action {
  case .tapped:
    return .run { send in
      try await environment.clock.sleep(for: .milliseconds(500))
      await send(.rolled(environment.die()))
    }
  case .rolled(let number):
    state.rolls.append(number)
    return .none
  }
}

struct GameState: Equatable {
  var isReady = false
  var guest = PlayerState()
  var host = PlayerState()
}

enum GameAction {
  case appeared
  case becameReady
  case guest(PlayerAction)
  case host(PlayerAction)
}

struct GameEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.clock) var clock
  @DerivedEnvironment var host = PlayerEnvironment().with(\.die, { 6 })
}

let gameReducer = Reducer<GameState, GameAction, GameEnvironment>.combine(
  playerReducer.pullback(state: \.guest, action: /GameAction.guest),
  playerReducer.pullback(state: \.host, action: /GameAction.host, environment: \.host),
  Reducer { state, action, environment in
    switch action {
    case .appeared:
      return .run { send in
        try await environment.clock.sleep(for: .seconds(1))
        await send(.becameReady)
      }
    case .becameReady:
      state.isReady = true
      return .none
    case .guest, .host:
      return .none
    }
  }
)

let gameStore = Store(
  initialState: GameState(), reducer: gameReducer, environment: GameEnvironment())

@Suite("Snippets of Migrating from swift-composable-environment 0.5")
struct MigratingFromVersion05Snippets {
  @Test("the feature does what it did")
  func feature() async {
    let clock = TestClock()
    let store = Store(
      initialState: GameState(), reducer: gameReducer,
      environment: GameEnvironment().with(\.clock, clock).with(\.die, { 2 }))
    let ready = await store.send(.appeared)
    await clock.sleepers(atLeast: 1)
    #expect(await !store.state.isReady)
    await clock.advance(by: .seconds(1))
    await ready.finish()
    #expect(await store.state.isReady)

    let guest = await store.send(.guest(.tapped))
    let host = await store.send(.host(.tapped))
    await clock.sleepers(atLeast: 2)
    #expect(await store.state.guest.rolls == [])
    await clock.advance(by: .milliseconds(500))
    await guest.finish()
    await host.finish()
    #expect(await store.state.guest.rolls == [2])
    #expect(await store.state.host.rolls == [6])
    #expect(await gameStore.state == GameState())
  }
}
