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

@Test("the feature of Migrating from swift-composable-environment 0.5 does what it did")
private func feature() async {
  let driven = DrivenClock()
  let store = Store(
    initialState: PlayerState(), reducer: playerReducer,
    environment: PlayerEnvironment().with(\.clock, driven.clock).with(\.die, { 2 }))
  let task = await store.send(.tapped)
  #expect(await store.state.rolls == [])
  await driven.advance(by: .milliseconds(500))
  await task.finish()
  #expect(await store.state.rolls == [2])
}
