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

  @Test("a part that outlives its operation is awaited, and what it sends is reported")
  func outlivingPart() async {
    let goOn = Gate()
    let line: UInt = #line + 3
    let reported = await issues {
      let store = recordingStore { _ in
        let operation = Effect<RecordingAction>.run { send in
          Task {
            try await send.withTaskCancellation(id: 1) { send in
              await goOn.wait()
              await send(.record("late"))
            }
          }
          await goOn.waitForArrivals()
        }
        return .concatenate(operation, .send(.record("next")))
      }
      let task = await store.send(.start(0))
      await goOn.waitForArrivals()
      await yield(100)
      goOn.open()
      await task.finish()
      #expect(await store.state == ["late", "next"])
    }
    #expect(reported.map(\.line) == [line])
  }

  @Test("a part that starts after the end of its effect is cancelled and awaited with its action")
  func latePart() async throws {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let started = Gate()
    let reported = try await issues {
      let store = recordingStore { _ in
        .concatenate(.run { send in kept.withLock { $0 = send } }, .run { _ in })
      }
      let task = await store.send(.start(0))
      await task.finish()
      let send = kept.withLock { $0 }
      let wasCancelled = Task {
        try await send?.withTaskCancellation(id: 1) { send in
          started.open()
          try? await Task.sleep(for: .seconds(1_000_000))
          await send(.record("late"))
          return send.isCancelled
        }
      }
      await started.wait()
      await task.cancelAndFinish()
      let isCancelled = try await wasCancelled.value
      #expect(isCancelled == true)
      #expect(await store.state.isEmpty)
    }
    #expect(reported.isEmpty)
  }

  @Test(
    "a part that outlives the part around it is cancelled with the whole",
    arguments: [false, true])
  func partOfAPart(byIdentifier: Bool) async {
    let (started, outlives) = (Gate(), Gate())
    let store = recordingStore { _ in
      .run { send in
        try await send.withTaskCancellation(id: 1) { send in
          Task {
            try await send.withTaskCancellation(id: 2) { send in
              started.open()
              try? await Task.sleep(for: .seconds(1_000_000))
              await send(.record("late"))
            }
          }
          await started.wait()
        }
        outlives.open()
        try await Task.sleep(for: .seconds(1_000_000))
      }
      .cancellable(id: 0)
    }
    let task = await store.send(.start(0))
    await outlives.wait()
    if byIdentifier { await store.send(.cancel(0)) } else { task.cancel() }
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  /// What an effect is a part of.
  enum Whole: CaseIterable { case sequence, nestedSequence, operation, merge }

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
          case .merge: .merge(part.cancellable(id: 1), rest)
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
