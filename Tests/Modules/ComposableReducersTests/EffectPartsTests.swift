import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Parts of effects")
struct EffectPartsTests {
  @Test("the parts of an operation are cancelled as soon as the effect is", arguments: 1...3)
  func cancelledWithWhole(depth: Int) async {
    let (isThere, goOn) = (Gate(), Gate())
    @Sendable func run(_ depth: Int, _ send: Send<RecordingAction>) async throws {
      if depth == 0 {
        isThere.open()
        await goOn.wait()
        return await send(.record("late"))
      }
      try await send.withTaskCancellation(id: depth) { send in try await run(depth - 1, send) }
    }
    let store = recordingStore { _ in .run { send in try await run(depth, send) } }
    let task = await store.send(.start(0))
    await isThere.wait()
    // What cancelling several effects begins with, before it reaches the parts of any.
    for effect in task.flight?.effects ?? [] { effect.markAsCancelled() }
    goOn.open()
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  /// A store that keeps an effect waiting after a part of it has started.
  private actor HoldingStore {
    private let core: StoreCore<Int, Int>

    init(_ effect: Effect<Int>, until goOn: Gate) {
      core = StoreCore(
        initialState: 0, reducer: Reducer<Int, Int, Void> { _, _, _ in effect }, environment: ())
      core.effects.connect { [weak self] delivery in
        await self?.receive(delivery)
        if case .part = delivery.content { await goOn.wait() }
      }
    }

    func send(_ action: Int) -> StoreTask { core.receive(action) { _ in } }

    private func receive(_ delivery: EffectDelivery) { core.receive(delivery) { _ in } }
  }

  @Test("a part is cancelled at once, though the effect's own task is only about to wait for it")
  func cancelledAtOnce() async {
    let (isThere, isCancelled, goOn) = (Gate(), Gate(), Gate())
    let wasCancelled = Mutex(false)
    let part = Effect<Int>.run { _ in
      isThere.open()
      await isCancelled.wait()
      wasCancelled.withLock { $0 = Task.isCancelled }
      goOn.open()
    }
    let store = HoldingStore(
      .concatenate(.run { _ in }, part.cancellable(id: "part")), until: goOn)
    let task = await store.send(0)
    await isThere.wait()
    task.cancel()
    isCancelled.open()
    await task.finish()
    #expect(wasCancelled.withLock { $0 })
  }

  @Test("rule 23: a part of an operation runs in the scope in which the operation starts it")
  func scopeOfPart() async {
    let store = recordingStore { _ in
      .run { send in
        try await withDependencies {
          $0.a = 10
        } operation: {
          try await send.withTaskCancellation(id: 1) { send in
            await send(.record("\(DependencyScope.current.a)"))
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["10"])
  }

  @Test("a part with an identifier is in the group of that identifier, and not in the whole's")
  func groups() async {
    let counts = Mutex<[Int]>([])
    let count: @Sendable (Send<RecordingAction>) -> Void = { send in
      counts.withLock { $0.append(send.sender.task.context.groups.count) }
    }
    let store = recordingStore { _ in
      .concatenate(.run { count($0) }, .run { count($0) }.cancellable(id: "part"))
        .cancellable(id: "whole").cancellable(id: "another")
    }
    await store.send(.start(0)).finish()
    #expect(counts.withLock { $0 } == [2, 1])
  }

  @Test("an effect that is one operation is run by its task itself, without a sender of its own")
  func senders() async {
    let areTasks = Mutex<[Bool]>([])
    let store = recordingStore { number in
      let run = Effect<RecordingAction>.run { send in
        areTasks.withLock { $0.append(send.sender is EffectTask) }
      }
      return number == 0 ? run : .concatenate(run, run)
    }
    for number in 0...1 { await store.send(.start(number)).finish() }
    #expect(areTasks.withLock { $0 } == [true, false, false])
  }

  @Test("one effect is merged or concatenated at no cost")
  func alone() {
    let effect = Effect<Int>.run { _ in }
    #expect(Effect.merge(effect).node === effect.node)
    #expect(Effect.concatenate(.none, effect).node === effect.node)
  }

  @Test("after actions, the last part of a sequence starts as it would alone")
  func lastPart() async {
    let goOn = Gate()
    let store = recordingStore { _ in
      let run = Effect<RecordingAction>.run { _ in await goOn.wait() }
      return .concatenate(.send(.record("first")), .merge(run, run))
    }
    let task = await store.send(.start(0))
    #expect(await store.state == ["first"])
    #expect(task.effects.count == 2)
    goOn.open()
    await task.finish()
  }
}
