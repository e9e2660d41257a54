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
    let whole = Mutex<RunningEffect?>(nil)
    let store = recordingStore { _ in
      .run { send in
        whole.withLock { $0 = send.effect }
        try await run(depth, send)
      }
    }
    let task = await store.send(.start(0))
    await isThere.wait()
    // What cancelling several effects begins with, before it reaches the parts of any.
    whole.withLock { $0 }?.markAsCancelled()
    goOn.open()
    await task.finish()
    #expect(await store.state.isEmpty)
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
