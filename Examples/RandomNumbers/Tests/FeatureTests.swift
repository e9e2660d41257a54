import ComposableReducers
import ComposableTesting
import Testing

@testable import random_numbers
import StandardDependencies

@Suite("The features", .dependencies { $0.randomNumber = RandomNumber { $0.upperBound } })
struct FeatureTests {
  private let clock = TestClock()

  private func store(
    _ environment: Level0Environment = Level0Environment()
  ) -> TestStore<Level0State, Level0Action> {
    TestStore(initialState: Level0State(), reducer: level0Reducer, environment: environment)
  }

  @Test("level 0 becomes ready when its clock's time is up")
  func ready() async {
    let store = store(Level0Environment().with(\.continuousClock, clock))
    await store.send(.start)
    await clock.advance(by: .milliseconds(299))
    #expect(store.state.isReady == false)
    await clock.advance(by: .milliseconds(1))
    await store.receive(where: { if case .becameReady = $0 { true } else { false } }) {
      $0.isReady = true
    }
    await store.finish()
  }

  @Test("each branch uses its own generator, regardless of the caller's scope")
  func branches() async {
    let store = store()
    await withDependencies {
      $0.randomNumber = RandomNumber { _ in -1 }
    } operation: {
      await store.send(.level1(.first(.ask)))
      await store.receive(firstAnswer, 1000) { $0.level1.first.numbers = [1000] }
      await store.send(.level1(.second(.ask)))
      await store.receive(secondAnswer, 6) { $0.level1.second.numbers = [6] }
    }
    await store.finish()
  }

  @Test("only a branch with a named environment is overridden from above")
  func overriddenFromAbove() async {
    var environment = Level0Environment()
    environment.level1.second[\.randomNumber] = RandomNumber { $0.lowerBound }
    let store = store(environment)
    await store.send(.level1(.first(.ask)))
    await store.receive(firstAnswer, 1000) { $0.level1.first.numbers = [1000] }
    await store.send(.level1(.second(.ask)))
    await store.receive(secondAnswer, 1) { $0.level1.second.numbers = [1] }
    await store.finish()
  }

  @Test("a branch that is cancelled while it draws receives no number")
  func cancelled() async throws {
    let clock = clock
    let store = withDependencies {
      $0.randomNumber = RandomNumber { _ in
        try? await clock.sleep(for: .seconds(1))
        return 1
      }
    } operation: {
      TestStore(
        initialState: Level2State(), reducer: level2Reducer, environment: Level2Environment())
    }
    let ask = await store.send(.ask)
    await #expect(throws: TestClock.SuspensionError.self) { try await clock.checkSuspension() }
    ask.cancel()
    await store.finish()
    #expect(store.state.numbers == [])
  }

  private let firstAnswer = Level0Action.toLevel1.appending(path: Level1Action.toFirst)
    .appending(path: Self.answer)
  private let secondAnswer = Level0Action.toLevel1.appending(path: Level1Action.toSecond)
    .appending(path: Self.answer)
  private static let answer = CasePath(Level2Action.answer) {
    if case .answer(let number) = $0 { number } else { nil }
  }
}
