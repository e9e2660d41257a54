@Suite("The code of Migrating from swift-composable-environment 0.5")
private struct MigratingFromVersion05 {
  @Test("the feature does what it did")
  func feature() async {
    let clock = TestClock()
    // block: let store = Store(
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
