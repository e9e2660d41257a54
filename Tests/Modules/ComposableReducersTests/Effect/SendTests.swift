import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Send")
struct SendTests {
  @Test(
    "an action sent after its effect has ended is reduced and reported, unless it was cancelled",
    arguments: [false, true])
  func lateAction(isCancelled: Bool) async throws {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let goOn = Gate()
    let line: UInt = #line + 3
    let reported = await issues {
      let store = recordingStore { _ in
        .run { send in
          kept.withLock { $0 = send }
          await goOn.wait()
        }
      }
      let task = await store.send(.start(0))
      if isCancelled { task.cancel() }
      goOn.open()
      await task.finish()
      await kept.withLock { $0 }?(.record("late"))
      #expect(await store.state == (isCancelled ? [] : ["late"]))
    }
    #expect(reported.map(\.line) == (isCancelled ? [] : [line]))
    #expect(reported.allSatisfy { $0.fileID == #fileID && $0.problem.contains("late") })
  }

  @Test(
    "an action of a part that outlives its operation is reduced and reported, unless it was cancelled",
    arguments: [false, true])
  func lateActionOfAPart(isCancelled: Bool) async throws {
    let (goOn, rest) = (Gate(), Gate())
    let late = Shared<[Task<Void, any Error>]>([])
    let line: UInt = #line + 3
    let reported = await issues {
      let store = recordingStore { _ in
        let operation = Effect<RecordingAction>.run { send in
          let task = Task {
            try await send.withTaskCancellation(id: 1) { send in
              await goOn.wait()
              await send(.record("late"))
            }
          }
          late.update { $0.append(task) }
          await goOn.waitForArrivals(1)
        }
        return .concatenate(operation, .run { _ in await rest.wait() })
      }
      let task = await store.send(.start(0))
      await rest.waitForArrivals(1)
      if isCancelled { task.cancel() }
      goOn.open()
      for task in late.value { try? await task.value }
      #expect(await store.state == (isCancelled ? [] : ["late"]))
      rest.open()
      await task.finish()
    }
    #expect(reported.map(\.line) == (isCancelled ? [] : [line]))
  }

  /// What an effect is a part of.
  enum Whole: CaseIterable { case sequence, nestedSequence, operation }

  @Test(
    "a part that has ended is cancelled with its whole: what it sends is ignored",
    arguments: Whole.allCases, [false, true])
  func lateActionOfACancelledWhole(whole: Whole, byIdentifier: Bool) async throws {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let goOn = Gate()
    let part = Effect<RecordingAction>.run { send in kept.withLock { $0 = send } }
    let rest = Effect<RecordingAction>.run { _ in await goOn.wait() }
    let reported = await issues {
      let store = recordingStore { _ in
        let effect: Effect<RecordingAction> =
          switch whole {
          case .sequence: .concatenate(part, rest)
          case .nestedSequence: .concatenate(.concatenate(part, .run { _ in }), rest)
          case .operation:
            .run { send in
              try await send.withTaskCancellation(id: 1) { send in kept.withLock { $0 = send } }
              await goOn.wait()
            }
          }
        return effect.cancellable(id: 0)
      }
      let task = await store.send(.start(0))
      await goOn.waitForArrivals(1)
      if byIdentifier { await store.send(.cancel(0)) } else { task.cancel() }
      await kept.withLock { $0 }?(.record("late"))
      goOn.open()
      await task.finish()
      #expect(await store.state.isEmpty)
    }
    #expect(reported.isEmpty)
  }
}
