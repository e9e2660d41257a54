import ComposableReducers
import ComposableTesting
import ExampleSupport
import StandardDependencies
import Synchronization
import Testing

@testable import random_numbers

@Suite("Random numbers", .isolatedDependencies)
struct RandomNumbersTests {
  /// An environment that draws the largest number of a range.
  private let environment = Level0Environment().with(\.randomNumber.draw) { $0.upperBound }

  private func store(_ environment: Level0Environment) -> TestStore<Level0State, Level0Action> {
    TestStore(initialState: Level0State(), reducer: level0Reducer, environment: environment)
  }

  @Test("level 0 becomes ready when its clock's time is up")
  func ready() async {
    let clock = TestClock()
    let store = store(environment.with(\.continuousClock, clock))
    await store.send(.start)
    await clock.advance(by: .milliseconds(299))
    #expect(!store.state.isReady)
    await clock.advance(by: .milliseconds(1))
    await store.receive(where: { if case .becameReady = $0 { true } else { false } }) {
      $0.isReady = true
    }
    await store.finish()
  }

  @Test("each branch uses its own generator, whatever the scope of the code that asks")
  func branches() async {
    let store = store(environment)
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

  @Test(
    "a seed gives the same numbers in concurrent runs, and another seed gives others",
    .dependencies { $0.continuousClock = ImmediateClock() })
  func seeds() async {
    async let concurrent = [print(of: 1), print(of: 2)]
    let texts = await [print(of: 1), print(of: 2)]
    #expect(await concurrent == texts)
    #expect(texts[0].dropFirst() != texts[1].dropFirst())
  }

  /// The lines that the program prints.
  private func print(of seed: UInt64) async -> [String] {
    let lines = AsyncStream.makeStream(of: String.self)
    await withDependencies {
      $0.output = Output { lines.continuation.yield($0) }
    } operation: {
      await RandomNumbers.run(seed: seed)
    }
    lines.continuation.finish()
    return await lines.stream.reduce(into: []) { $0.append($1) }
  }

  private let firstAnswer = Level0Action.toLevel1.appending(path: Level1Action.toFirst)
    .appending(path: Self.answer)
  private let secondAnswer = Level0Action.toLevel1.appending(path: Level1Action.toSecond)
    .appending(path: Self.answer)
  private static let answer = CasePath(Level2Action.answer) {
    if case .answer(let number) = $0 { number } else { nil }
  }
}
