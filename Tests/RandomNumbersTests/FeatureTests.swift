import ComposableReducers
import TestSupport
import Testing

@testable import random_numbers

@Suite("The features")
struct FeatureTests {
  private let clock = ManualClock()

  /// A store whose generator draws the greatest number of each range.
  private func store() -> Store<Level0State, Level0Action> {
    withDependencies {
      $0.clock = clock
      $0.randomNumber = RandomNumber { $0.upperBound }
    } operation: {
      Store(initialState: Level0State(), reducer: level0Reducer, environment: Level0Environment())
    }
  }

  @Test("level 0 becomes ready only when its clock says so")
  func ready() async {
    let store = store()
    let start = await store.send(.start)
    await clock.waitForSleeps(1)
    clock.advance(by: .milliseconds(299))
    #expect(await store.state.isReady == false)
    clock.advance(by: .milliseconds(1))
    await start.finish()
    #expect(await store.state.isReady)
  }

  @Test("each branch uses its own generator, whatever the scope of the caller")
  func branches() async {
    let store = store()
    await withDependencies {
      $0.randomNumber = RandomNumber { _ in -1 }
    } operation: {
      await store.send(.level1(.first(.ask))).finish()
      await store.send(.level1(.second(.ask))).finish()
    }
    #expect(await store.state.level1.first.numbers == [1000])
    #expect(await store.state.level1.second.numbers == [6])
  }

  @Test("a branch whose environment is named is overridden from above, the other one is not")
  func overriddenFromAbove() async {
    var environment = Level0Environment()
      .with(\.randomNumber, RandomNumber { $0.upperBound })
    environment.level1.second[\.randomNumber] = RandomNumber { $0.lowerBound }
    let store = Store(
      initialState: Level0State(), reducer: level0Reducer, environment: environment)
    await store.send(.level1(.first(.ask))).finish()
    await store.send(.level1(.second(.ask))).finish()
    #expect(await store.state.level1.first.numbers == [1000])
    #expect(await store.state.level1.second.numbers == [1])
  }

  @Test("a branch that is cancelled while it draws is given no number")
  func cancelled() async {
    let clock = clock
    let store = withDependencies {
      $0.randomNumber = RandomNumber { _ in
        try? await clock.sleep(for: .seconds(1))
        return 1
      }
    } operation: {
      Store(initialState: Level2State(), reducer: level2Reducer, environment: Level2Environment())
    }
    let ask = await store.send(.ask)
    await clock.waitForSleeps(1)
    ask.cancel()
    clock.advance(by: .seconds(1))
    await ask.finish()
    #expect(await store.state.numbers == [])
  }
}
