import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Cancellation of effects")
struct CancellationTests {
  /// Runs until it is cancelled, and reports that.
  private static func forever(_ name: String, _ started: Gate, _ ended: Gate) -> Effect<
    RecordingAction
  > {
    .run { send in
      await send(.record("\(name) starts"))
      started.open()
      try? await Task.sleep(for: .seconds(1_000_000))
      await send(.record("\(name) is heard after its end"))
      ended.open()
    }
  }

  @Test("cancel ends only the effects under its identifier")
  func cancel() async {
    let gates = (0..<3).map { _ in (started: Gate(), ended: Gate()) }
    let store = recordingStore {
      Self.forever("\($0)", gates[$0].started, gates[$0].ended).cancellable(id: $0)
    }
    var tasks: [StoreTask] = []
    for number in 0..<3 { tasks.append(await store.send(.start(number))) }
    for gate in gates { await gate.started.wait() }
    await store.send(.cancel(1))
    await gates[1].ended.wait()
    await tasks[1].finish()
    for task in tasks { task.cancel() }
    for task in tasks { await task.finish() }
    #expect(await store.state.sorted() == ["0 starts", "1 starts", "2 starts"])
  }

  @Test("cancelInFlight ends effects under the identifier before it starts the new one")
  func cancelInFlight() async {
    let gates = (0..<2).map { _ in (started: Gate(), ended: Gate()) }
    let store = recordingStore {
      Self.forever("\($0)", gates[$0].started, gates[$0].ended)
        .cancellable(id: "same", cancelInFlight: true)
    }
    let first = await store.send(.start(0))
    await gates[0].started.wait()
    let second = await store.send(.start(1))
    await first.finish()
    await gates[1].started.wait()
    second.cancel()
    await second.finish()
    #expect(await store.state == ["0 starts", "1 starts"])
  }

  @Test("identifiers are compared by type and value, and nest")
  func identifiers() async {
    enum Other: Hashable, Sendable { case one }
    let (started, ended) = (Gate(), Gate())
    let store = recordingStore { number in
      number == 0
        ? Self.forever("x", started, ended).cancellable(id: Other.one).cancellable(id: 1)
        : .cancel(id: Other.one)
    }
    let task = await store.send(.start(0))
    await started.wait()
    await store.send(.cancel(2))
    await store.send(.start(1))
    await task.finish()
    #expect(await store.state == ["x starts"])
  }

  @Test("rule 25: two stores never cancel each other's effects")
  func storesAreIndependent() async {
    let (started, goOn) = (Gate(), Gate())
    let effect: @Sendable (Int) -> Effect<RecordingAction> = { _ in
      .run { send in
        await started.wait()
        await goOn.wait()
        await send(.record("alive"))
      }.cancellable(id: 1)
    }
    let (one, other) = (recordingStore(effect), recordingStore(effect))
    let tasks = [await one.send(.start(0)), await other.send(.start(0))]
    await started.waitForArrivals(2)
    started.open()
    await other.send(.cancel(1))
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await one.state == ["alive"])
    #expect(await other.state.isEmpty)
  }

  @Test("cancellation reaches the children of groups")
  func children() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        let cancelled = await withTaskGroup { group in
          for _ in 0..<5 {
            group.addTask {
              await started.wait()
              while !Task.isCancelled { await Task.yield() }
              return 1
            }
          }
          return await group.reduce(0, +)
        }
        precondition(cancelled == 5)
      }
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals(5)
    started.open()
    task.cancel()
    await task.finish()
  }

  @Test("cancelling an effect ends its identified parts, and starts no further part")
  func parts() async {
    let (started, ended) = (Gate(), Gate())
    let isLaterPartRun = Mutex(false)
    let store = recordingStore { _ in
      .concatenate(
        .run { _ in },
        Self.forever("part", started, ended).cancellable(id: 1),
        .run { _ in isLaterPartRun.withLock { $0 = true } })
    }
    let task = await store.send(.start(0))
    await started.wait()
    task.cancel()
    await task.finish()
    #expect(await store.state == ["part starts"])
    #expect(!isLaterPartRun.withLock { $0 })
  }

  @Test("an effect that is cancelled before it starts never runs")
  func cancelledBeforeItStarts() async {
    let store = recordingStore { number in
      .merge(
        Effect.run { send in await send(.record("ran")) }.cancellable(id: 1),
        .cancel(id: 1))
    }
    await store.send(.start(0)).finish()
    #expect(await store.state.isEmpty)
  }

  @Test("cancelling a store task cancels what its effects' actions started")
  func transitiveCancellation() async {
    let (started, ended) = (Gate(), Gate())
    let store = recordingStore { number in
      number == 0
        ? .run { send in await send(.start(1)) }
        : Self.forever("second", started, ended)
    }
    let task = await store.send(.start(0))
    await started.wait()
    task.cancel()
    await task.finish()
    #expect(await store.state == ["second starts"])
  }
}
