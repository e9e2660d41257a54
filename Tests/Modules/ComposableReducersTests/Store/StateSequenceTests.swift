import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Sequences of states")
struct StateSequenceTests {
  /// Reads a store's states until it is released, and reads on while it is being released.
  private func statesRead(sending actions: [Int]) async -> (all: [[Int]], counts: [Int]) {
    let (executor, started) = (ManualExecutor(), Gate())
    let reducer = Reducer<[Int], Int, Void> { state, number, _ in
      state.append(number)
      guard number == 0 else { return .none }
      return .run { _ in
        await withTaskCancellationHandler {
          started.open()
          try? await Task.sleep(for: .seconds(1_000_000))
        } onCancel: {
          // The store is about to be freed, on this thread.
          executor.drain()
        }
      }
    }
    var store: Store? = Store(initialState: [], reducer: reducer, environment: ())
    await store?.send(0)
    await started.wait()
    let (all, counts) = (store!.states, store!.states(of: { $0.count }))
    let readers = (
      Task(executorPreference: executor) { await all.reduce(into: []) { $0.append($1) } },
      Task(executorPreference: executor) { await counts.reduce(into: []) { $0.append($1) } }
    )
    executor.drain()
    for action in actions { await store?.send(action) }
    store = nil
    executor.drain()
    return (await readers.0.value, await readers.1.value)
  }

  @Test("a reader receives the last state, even if it reads while the store is being released")
  func lastState() async {
    let (all, counts) = await statesRead(sending: [1, 2])
    #expect(all == [[0], [0, 1], [0, 1, 2]])
    #expect(counts == [1, 2, 3])
  }

  @Test("a reader that is slower than the actions skips states, and receives the last one")
  func slowReader() async {
    let (all, counts) = await statesRead(sending: [1, 2, 3, 4])
    #expect(all == [[0], [0, 1], [0, 1, 2, 3, 4]])
    #expect(counts == [1, 2, 5])
  }

  @Test("a sequence of a part's states skips the states in which the part is the same")
  func sameParts() async {
    struct Pair: Sendable {
      var first = 0
      var second = 0
    }
    let reducer = Reducer<Pair, Bool, Void> { pair, isFirst, _ in
      if isFirst { pair.first += 1 } else { pair.second += 1 }
      return .none
    }
    let store = Store(initialState: Pair(), reducer: reducer, environment: ())
    let hasBegun = Gate()
    let values = Task {
      var values: [Int] = []
      for await value in store.states(of: \.first) {
        values.append(value)
        hasBegun.open()
        if value == 1 { break }
      }
      return values
    }
    await hasBegun.wait()
    for _ in 0..<50 {
      await store.send(false)
      await Task.yield()
    }
    await store.send(true)
    #expect(await values.value == [0, 1])
  }

  @Test(
    "readers of states that have ended are forgotten, after an action or when another begins",
    .enabled(if: Allocations.areCounted), arguments: [true, false])
  func readers(notifies: Bool) {
    let readers = StateReaders<Int>()
    func read(_ count: Int) {
      for number in 0..<count {
        _ = readers.add(of: { $0 }, from: number)
        if notifies { readers.notify(number) }
      }
    }
    read(10)
    #expect(Allocations { read(5_000) }.remaining < 1_000)
  }
}
