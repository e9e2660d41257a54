private enum ClockKey: DependencyKey {
  static var defaultValue: any Clock<Duration> { ContinuousClock() }
}

private enum DieKey: DependencyKey {
  static var defaultValue: @Sendable () -> Int { { Int.random(in: 1...6) } }
}

extension Dependencies {
  fileprivate var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }

  fileprivate var die: @Sendable () -> Int {
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

private struct GameEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var host = PlayerEnvironment().with(\.die, { 6 })
}

private struct GameState: Equatable {
  var guest = PlayerState()
  var host = PlayerState()
}

private enum GameAction {
  case guest(PlayerAction)
  case host(PlayerAction)
}

private let gameReducer = Reducer<GameState, GameAction, GameEnvironment>.combine(
  playerReducer.pullback(
    state: \.guest,
    action: CasePath(GameAction.guest) { if case .guest(let action) = $0 { action } else { nil } }),
  playerReducer.pullback(
    state: \.host,
    action: CasePath(GameAction.host) { if case .host(let action) = $0 { action } else { nil } },
    environment: \.host))

@Suite("The code of Migrating from swift-composable-environment 0.5")
private struct MigratingFromVersion05 {
  @Test("the feature does what it did")
  func feature() async {
    let clock = TestClock()
    let store = Store(
      initialState: GameState(), reducer: gameReducer,
      environment: GameEnvironment().with(\.clock, clock).with(\.die, { 2 }))
    let guest = await store.send(.guest(.tapped))
    let host = await store.send(.host(.tapped))
    await clock.sleepers(atLeast: 2)
    #expect(await store.state.guest.rolls == [])
    await clock.advance(by: .milliseconds(500))
    await guest.finish()
    await host.finish()
    #expect(await store.state.guest.rolls == [2])
    #expect(await store.state.host.rolls == [6])
  }
}
