import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Sequences of states")
struct StateSequenceTests {
  /// Runs jobs only when it is asked to.
  private final class ManualExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    /// Runs the jobs, and those that they enqueue.
    func drain() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

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

  @Test("a reader receives the last state, also if it reads while the store is being released")
  func lastState() async {
    let (all, counts) = await statesRead(sending: [1, 2])
    #expect(all == [[0], [0, 1, 2]])
    #expect(counts == [1, 3])
  }

  @Test("a reader that has received the last state receives it only once")
  func noChange() async {
    let (all, counts) = await statesRead(sending: [])
    #expect(all == [[0]])
    #expect(counts == [1])
  }
}
