import TestSupport
import ComposableReducers
import ComposableTesting
import TestRuntime
import Testing

/// A program whose parts run concurrently, and interact in every way that stays on the executor.
@Suite("A test gives the same result each time", .isolatedDependencies)
struct DeterminismTests {
  private actor Counter {
    var count = 0

    func next() async -> Int {
      count += 1
      let number = count
      await Task.yield()
      return number
    }
  }

  private struct Environment: Sendable {
    let clock: TestClock
    let counter = Counter()
  }

  private enum Action: Equatable {
    case start
    case note(String)
    case again(Int)
  }

  private static let reducer = Reducer<[String], Action, Environment> {
    state, action, environment in
    let (clock, counter) = (environment.clock, environment.counter)
    switch action {
    case .start:
      return .merge(
        .run { send in
          await withTaskGroup { group in
            for number in 0..<4 {
              group.addTask {
                for _ in 0..<number { await Task.yield() }
                try? await clock.sleep(for: .seconds(1 + number % 2))
                await send(.note("child \(number), \(counter.next())"))
                try? await clock.sleep(for: .seconds(2))
                await send(.again(number))
              }
            }
          }
        },
        .run { send in
          async let first = counter.next()
          async let second = counter.next()
          let numbers = await (first, second)
          await send(.note("async let \(numbers)"))
          try await clock.sleep(for: .seconds(1))
          await send(.note("slept, \(counter.next())"))
        },
        .concatenate(
          .run { send in
            for number in 0..<3 {
              await Task.yield()
              await send(.note("yielded \(number)"))
            }
          },
          .merge(
            .run { send in await send(.again(10)) },
            Effect.send(.note("throttled"))
              .throttle(id: "throttle", for: .seconds(1), clock: clock, latest: true))),
        Effect.send(.note("debounced")).debounce(id: "debounce", for: .seconds(1), clock: clock))
    case .note(let text):
      state.append(text)
      return .none
    case .again(let number):
      state.append("again \(number)")
      return .run { send in
        let stream = AsyncStream { continuation in
          for step in 0..<3 { continuation.yield(step) }
          continuation.finish()
        }
        for await step in stream {
          try await clock.sleep(for: .milliseconds(100 * step))
          await send(.note("step \(step) of \(number), \(counter.next())"))
        }
      }
    }
  }

  /// Runs the program, and returns what it did in which order.
  private func transcript() async -> [String] {
    let clock = TestClock()
    let store = TestStore(
      initialState: [], reducer: Self.reducer, environment: Environment(clock: clock))
    store.exhaustivity = .off
    await store.send(.start)
    async let other: Void = clock.sleep(for: .milliseconds(1500))
    await clock.advance(by: .seconds(1))
    await store.send(.again(20))
    await clock.advance(by: .milliseconds(600))
    try? await other
    await clock.run()
    await store.skipReceivedActions()
    await store.finish()
    return store.state
  }

  @Test("one run after the other")
  func oneAfterTheOther() async {
    let expected = await transcript()
    #expect(expected.count == 35, "\(expected)")
    for _ in 1..<100 {
      let transcript = await transcript()
      guard transcript == expected else {
        #expect(transcript == expected)
        return
      }
    }
  }

  @Test("many concurrent runs")
  func sideBySide() async {
    let transcripts = await withTaskGroup(of: [String].self) { group in
      // Each waits for all others, so many more would only take longer.
      for _ in 0..<20 {
        group.addTask {
          let run = TestRun()
          return await withDependencies {
            $0.testRun = run
          } operation: {
            await withTaskExecutorPreference(run.executor) { await transcript() }
          }
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(transcripts.count == 1, "\(transcripts)")
  }

  @MainActor
  @Test("on the main actor too")
  func mainActor() async {
    let expected = await transcript()
    for _ in 0..<10 { #expect(await transcript() == expected) }
  }
}
