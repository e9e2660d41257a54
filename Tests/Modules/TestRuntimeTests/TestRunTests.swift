import StandardDependencies
import ComposableReducers
import Synchronization
import Testing

@testable import ComposableTesting
@testable import TestClocks
@testable import TestRuntime

@Suite("A run of a test")
struct TestRunTests {
  private let run = TestRun.running

  @Test("is the same throughout a test")
  func same() async {
    #expect(TestRun.running === run)
    async let child = TestRun.running
    #expect(await child === run)
    #expect(await Task { TestRun.running }.value === run)
    #expect(await Task.detached { TestRun.running }.value !== run)
  }

  @Test("is the scope's, if the scope has one")
  func ofScope() {
    let other = TestRun()
    DependencyScope.root.with(\.testRun, other).run {
      #expect(TestRun.running === other)
    }
    #expect(TestRun.running !== other)
  }

  @Test("notices each silence, also one after another")
  func silences() async {
    let order = JobOrder()
    for _ in 0..<2 {
      let isNoticed = Wait()
      order.whenSilent(for: .milliseconds(5)) { isNoticed.finish(.fulfilled) }
      #expect(await isNoticed.outcome() == .fulfilled)
    }
  }

  /// A store whose effect ends once it has been named.
  private final class EndingStore: EffectNaming {
    private let isNamed = Atomic(false)

    func effect(of _: SleepingTask) -> String? {
      isNamed.exchange(true, ordering: .relaxed) ? nil : "effect"
    }

    func failIfUnfinished() {}
  }

  @Test("names an effect that ends meanwhile")
  func endingEffect() {
    let run = TestRun()
    let store = EndingStore()
    run.add(store)
    #expect(run.name(of: SleepingTask(until: .zero)) == "The effect")
    #expect(run.name(of: SleepingTask(until: .zero)) != "The effect")
  }

  private static let met = Mutex<[ObjectIdentifier: Int]>([:])
  private static let kept = Mutex<[TestRun]>([])

  @Test("differs for each case of a test", arguments: 0..<20)
  func cases(number: Int) {
    // Retained, so that no later one has the same address.
    Self.kept.withLock { $0.append(run) }
    let previous = Self.met.withLock { $0.updateValue(number, forKey: ObjectIdentifier(run)) }
    // Only a repeated test meets the retained run, not another case.
    #expect(previous == nil || previous == number)
  }

  @Test(
    "is the test's throughout a trait, also in values that the trait creates",
    .dependencies { $0.continuousClock = TestClock() })
  func ofTrait() async throws {
    #expect(TestRun.running === DependencyScope.current.testRun)
    #expect(await Task.detached(in: .current) { TestRun.running }.value === TestRun.running)
    let clock = try #require(DependencyScope.current.continuousClock as? TestClock)
    async let slept: Void = clock.sleep(for: .seconds(1))
    await clock.advance(by: .seconds(1))
    try await slept
  }

  @Test("ends with the outermost `withTestDependencies` of a test")
  func end() async throws {
    var runs: [TestRun] = []
    await DependencyScope.isolated().run {
      await withTestDependencies {
        let run = TestRun.running
        await withTestDependencies { await Task.yield() }
        #expect(!run.hasEnded)
        runs.append(run)
      }
    }
    #expect(runs.map(\.hasEnded) == [true])
    let run = DependencyScope.isolated().run {
      withTestDependencies {
        let run = TestRun.running
        withTestDependencies {}
        #expect(!run.hasEnded)
        return run
      }
    }
    #expect(run.hasEnded)
  }
}
